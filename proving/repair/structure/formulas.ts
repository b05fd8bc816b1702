/** Formula delimiters: dollar signs, and what `\)` and `\]` close. */
import { innerMathEnvironments, structuralCommands } from '#latex/source/commands.ts';
import type { Token } from '#latex/source/scan.ts';
import { isProse } from '../repair-dollars.ts';
import { closerOf, type Frame, isFormula } from './frames.ts';
import { needItem } from './items.ts';
import type { StructurePass } from './structure-pass.ts';

/** `$`: closes the formula that a dollar opened, otherwise opens one. */
export function visitDollar(pass: StructurePass, index: number, token: Token): void {
  const boundary = (frame: Frame) =>
    frame.kind === 'environment' || (frame.kind === 'group' && frame.mode === 'text' && frame.index >= 0);
  const height = pass.find((frame) => frame.kind === 'dollar' && frame.until < 0, boundary);
  if (height >= 0) {
    pass.closeDownTo(height + 1, token.start);
    pass.pop(token.start);
    return;
  }
  if (pass.top.mode === 'math') {
    const double = pass.find((frame) => frame.kind === 'double', boundary);
    if (double >= 0 && !pass.hasCloserAhead(pass.stack[double]!, index + 1)) {
      pass.closeDownTo(double + 1, token.start);
      pass.pop(token.start);
      pass.replace(token, '$$');
    } else pass.replace(token, '');
    return;
  }
  needItem(pass, token);
  pass.push('dollar', '', 'math', index);
}

/** `$$`: the same for displays. */
export function visitDoubleDollar(pass: StructurePass, index: number, token: Token): void {
  if (pass.top.kind === 'dollar' && pass.top.until < 0) return;
  const height = pass.find(
    (frame) => frame.kind === 'double',
    (frame) => frame.kind === 'environment',
  );
  if (height >= 0) {
    pass.closeDownTo(height + 1, token.start);
    pass.pop(token.start);
  } else if (pass.top.mode === 'math' || isStrayDouble(pass, index)) pass.replace(token, '');
  else {
    needItem(pass, token);
    pass.push('double', '', 'math', index);
  }
}

/** True for an unclosed `$$` followed by prose: a mistake, not a display. */
function isStrayDouble(pass: StructurePass, index: number): boolean {
  let hasProse = false;
  for (let i = index + 1; i < pass.tokens.length; i++) {
    const token = pass.tokens[i]!;
    if (token.kind === 'double-dollar') return false;
    if (token.kind === 'break' || (token.kind === 'command' && structuralCommands.has(token.name))) break;
    if (token.kind === 'text' && isProse(pass.text.slice(token.start, token.end))) hasProse = true;
  }
  return hasProse;
}

/** `\]` or `\)`: closes its own formula, or one that nothing else closes; otherwise it is removed. */
export function closeFormula(pass: StructurePass, kind: 'bracket' | 'paren', token: Token): void {
  const height = pass.find(
    (frame) => frame.kind === kind,
    (frame) =>
      frame.kind === 'environment' && !innerMathEnvironments.has(frame.name) && frame.renamed === null,
  );
  if (height >= 0) {
    pass.closeDownTo(height + 1, token.start);
    pass.pop(token.start);
    return;
  }
  const other = pass.find(
    (frame) => isFormula(frame) && frame.until < 0,
    (frame) => frame.kind === 'environment',
  );
  if (other >= 0 && !pass.hasCloserAhead(pass.stack[other]!, pass.tokens.indexOf(token) + 1)) {
    const frame = pass.stack[other]!;
    pass.closeDownTo(other + 1, token.start);
    pass.pop(token.start);
    pass.replace(token, closerOf(frame));
  } else pass.replace(token, '');
}
