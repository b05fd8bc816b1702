/**
 * Environments: what `\begin` and `\end` open and close, formulas nested in formulas, and the cells and rows (`&`,
 * `\\`) of tables and alignments.
 */
import {
  displayEnvironments,
  environmentArguments,
  floatEnvironments,
  headingLevels,
  innerMathEnvironments,
  listEnvironments,
  tableEnvironments,
  theoremEnvironments,
} from '#latex/source/commands.ts';
import { readOptional, skipSpace } from '#latex/source/matches.ts';
import type { Token } from '#latex/source/scan.ts';
import { environmentMode, isAlignment } from '#latex/source/syntax.ts';
import { readColumns } from './columns.ts';
import { closerOf, isDisplay, isFormula, shortArgument } from './frames.ts';
import { needItem } from './items.ts';
import type { StructurePass } from './structure-pass.ts';

/** What a display environment becomes inside another formula; those not listed lose `\begin` and `\end`. */
const nested: Record<string, string> = {
  align: 'aligned',
  flalign: 'aligned',
  eqnarray: 'aligned',
  xalignat: 'alignedat',
  alignat: 'alignedat',
  gather: 'gathered',
  multline: 'gathered',
};

/** Opens an environment in the mode it needs; one allowed only in formulas is wrapped in `\[`. */
export function visitBegin(pass: StructurePass, index: number, token: Token): void {
  const { name } = token;
  const loose = pass.find(
    (frame) =>
      frame.kind === 'group' &&
      !frame.isMatched &&
      (headingLevels.has(frame.name) || shortArgument.has(frame.name)),
    (frame) => frame.kind === 'environment',
  );
  const isBlock = !innerMathEnvironments.has(name) && pass.stack[loose]?.mode === 'text';
  if (loose >= 0 && isBlock) pass.closeDownTo(loose, token.start);
  const isDisplayed = displayEnvironments.has(name);
  const isInner = innerMathEnvironments.has(name);
  let after = '';
  let renamed: string | null = null;
  if (pass.top.mode === 'math' && isDisplayed) {
    const outer = pass.find((frame) => isFormula(frame) || isDisplay(frame));
    const frame = pass.stack[outer];
    if (frame && !pass.hasCloserAhead(frame, index + 1)) pass.closeDownTo(outer, token.start);
    else {
      renamed = nested[name.replace('*', '')] ?? '';
      pass.replace(token, renamed === '' ? '' : `\\begin{${renamed}}`);
    }
  } else if (
    pass.top.mode === 'math' &&
    (listEnvironments.has(name) ||
      floatEnvironments.has(name) ||
      theoremEnvironments.has(name) ||
      /^(center|quote|proof|verbatim)$/.test(name))
  ) {
    const outer = pass.stack.findIndex((frame) => isFormula(frame) || isDisplay(frame));
    if (outer >= 0) pass.closeDownTo(outer, token.start);
  } else if (pass.top.mode === 'text' && isInner) {
    pass.insert(token.start, '\\[');
    after = '\\]';
  }
  if (!listEnvironments.has(name)) needItem(pass, token);
  else if (listEnvironments.has(pass.top.name) && pass.top.kind === 'environment' && !pass.top.hasItem)
    needItem(pass, token);
  const mode = renamed === '' ? pass.top.mode : environmentMode(name, isInner ? 'math' : pass.top.mode);
  const frame = pass.push('environment', name, mode, index);
  frame.after = after;
  frame.renamed = renamed;
  if (tableEnvironments.has(name) || name === 'array')
    frame.columns = readColumns(pass.text, pass.tokens, index, name);
  pass.pending = [...environmentArguments(name)];
  pass.owner = name;
  pass.canTakeOptional = true;
}

/** Closes the environment of that name, or the innermost one without its own end; otherwise removes the `\end`. */
export function visitEnd(pass: StructurePass, index: number, token: Token): void {
  const height = pass.find((frame) => frame.kind === 'environment' && frame.name === token.name);
  if (height >= 0) {
    pass.closeDownTo(height + 1, token.start);
    const frame = pass.pop(token.start);
    if (frame.renamed !== null) {
      pass.replace(token, (frame.renamed === '' ? '' : `\\end{${frame.renamed}}`) + frame.after);
    } else if (frame.after !== '') pass.insert(token.end, frame.after);
    pass.top.scripts = { up: false, down: false };
    return;
  }
  const innermost = pass.find((frame) => frame.kind === 'environment');
  const frame = pass.stack[innermost];
  if (frame && !pass.hasCloserAhead(frame, index + 1)) {
    pass.closeDownTo(innermost + 1, token.start);
    pass.pop(token.start);
    pass.replace(token, closerOf(frame) + frame.after);
  } else pass.replace(token, '');
}

/** `&` separates cells in tables and alignments, needs `aligned` in a plain display, and is escaped elsewhere. */
export function visitAmpersand(pass: StructurePass, token: Token): void {
  if (pass.top.mode === 'raw' && pass.cell() < 0) return;
  const height = pass.cell();
  if (height >= 0) {
    const above = pass.stack.slice(height + 1);
    if (above.some((frame) => frame.kind === 'group' && frame.isMatched)) {
      pass.replace(token, '\\&');
      return;
    }
    pass.closeDownTo(height + 1, token.start);
    const frame = pass.stack[height]!;
    frame.scripts = { up: false, down: false };
    if (frame.columns) frame.columns.row++;
    return;
  }
  const display = pass.find((frame) => isDisplay(frame));
  if (display >= 0 && pass.top.mode === 'math' && display === pass.stack.length - 1) {
    pass.stack[display]!.wantsAligned = true;
  } else pass.replace(token, '\\&');
}

/** `\\` ends a row or a line of text; where there is no line to end it is removed. */
export function visitLineBreak(pass: StructurePass, index: number, token: Token): void {
  const option = pass.tokens[skipSpace(pass.tokens, index + 1)];
  if (option?.kind === 'bracket-open') {
    const optional = readOptional(pass.tokens, index + 1);
    const inside = optional ? pass.text.slice(optional.start, optional.end) : '';
    if (!/^\s*[+-]?\s*(\d+\.?\d*|\.\d+)?\s*(pt|ex|em|cm|mm|in|bp|\\[a-zA-Z]+)\s*$/.test(inside)) {
      pass.insert(token.end, '{}');
    }
  }
  const height = pass.cell();
  if (height >= 0) {
    const above = pass.stack.slice(height + 1);
    if (above.some((frame) => frame.kind === 'group' && frame.isMatched)) return;
    pass.closeDownTo(height + 1, token.start);
    const frame = pass.stack[height]!;
    frame.scripts = { up: false, down: false };
    if (frame.columns) {
      frame.columns.most = Math.max(frame.columns.most, frame.columns.row);
      frame.columns.row = 1;
    }
    return;
  }
  if (pass.top.mode !== 'text') return;
  let i = index - 1;
  while (i >= 0 && /^(space|comment)$/.test(pass.tokens[i]!.kind)) i--;
  const previous = pass.tokens[i];
  const hasNoLine =
    !previous ||
    previous.kind === 'break' ||
    previous.kind === 'begin' ||
    (previous.kind === 'end' &&
      !isAlignment(previous.name) &&
      !/tabular|minipage|tikzpicture/.test(previous.name)) ||
    (previous.kind === 'command' &&
      /^(item|par|centering|noindent|maketitle|bigskip|medskip|smallskip|hrule|\])$/.test(previous.name)) ||
    (previous.kind === 'close' && isSectionClose(pass, i));
  if (hasNoLine) pass.replace(token, '');
}

function isSectionClose(pass: StructurePass, close: number): boolean {
  for (const [open, end] of pass.partner) {
    if (end === close) return headingLevels.has(pass.tokens[open - 1]?.name ?? '');
  }
  return false;
}
