/** Lists: puts every `\item` into a list and begins every list with an item. */
import { listEnvironments } from '#latex/source/commands.ts';
import { readOptional, skipSpace } from '#latex/source/matches.ts';
import type { Token } from '#latex/source/scan.ts';
import { isDisplay, isFormula } from './frames.ts';
import type { StructurePass } from './structure-pass.ts';

/** `\item`: closes what the previous item left open; begins a list if there is none. */
export function visitItem(pass: StructurePass, index: number, token: Token): void {
  closeItemLabel(pass, index);
  const height = pass.find((frame) => frame.kind === 'environment' && listEnvironments.has(frame.name));
  if (height >= 0) {
    const above = pass.stack.slice(height + 1);
    // Another environment whose end is still ahead: the item belongs to it (or TeX will report it).
    const holds = above.some(
      (frame) => frame.kind === 'environment' && pass.hasCloserAhead(frame, index + 1),
    );
    if (!holds) pass.closeDownTo(height + 1, token.start);
    pass.stack[height]!.hasItem = true;
    return;
  }
  if (pass.stack.some((frame) => frame.kind === 'environment' && /bibliography/.test(frame.name))) return;
  let depth = 0;
  let list = 'itemize';
  for (let i = index; i < pass.tokens.length; i++) {
    const ahead = pass.tokens[i]!;
    if (ahead.kind === 'begin') depth++;
    if (ahead.kind === 'end' && depth-- === 0) {
      if (listEnvironments.has(ahead.name)) list = ahead.name;
      break;
    }
  }
  const formula = pass.stack.findIndex((one) => isFormula(one) || isDisplay(one));
  if (formula >= 0) pass.closeDownTo(formula, token.start);
  pass.insert(token.start, `\\begin{${list}}\n`);
  const frame = pass.push('environment', list, 'text', index);
  frame.hasItem = true;
}

/** `\item[a) text`: the label's bracket is unclosed, or closed only by a later item's. */
function closeItemLabel(pass: StructurePass, index: number): void {
  const bracket = pass.tokens[skipSpace(pass.tokens, index + 1)];
  if (bracket?.kind !== 'bracket-open') return;
  const optional = readOptional(pass.tokens, index + 1);
  if (optional && !/\\item\b|\n.*\n/.test(pass.text.slice(optional.start, optional.end))) return;
  const label = pass.tokens[pass.tokens.indexOf(bracket) + 1];
  const isLabel = label?.kind === 'text' && /^\(?\w{1,3}[).]$/.test(pass.text.slice(label.start, label.end));
  if (isLabel) pass.insert(label.end, ']');
  else pass.replace(bracket, '{[}');
  pass.canTakeOptional = false;
}

/** Inserts an `\item` before text at the head of a list. */
export function needItem(pass: StructurePass, token: Token): void {
  const frame = pass.top;
  if (
    frame.kind !== 'environment' ||
    frame.hasItem ||
    !listEnvironments.has(frame.name) ||
    frame.name === 'tasks'
  )
    return;
  frame.hasItem = true;
  pass.insert(token.start, '\\item ');
}
