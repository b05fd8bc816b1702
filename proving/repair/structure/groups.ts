/** Braces and paragraph breaks: which group a brace closes, and what an empty line closes. */
import { headingLevels, listEnvironments } from '#latex/source/commands.ts';
import type { Token } from '#latex/source/scan.ts';
import { type Frame, isDisplay, isFormula, shortArgument } from './frames.ts';
import type { StructurePass } from './structure-pass.ts';

/** An empty line: closes formulas, headings and short arguments. */
export function visitBreak(pass: StructurePass, index: number, token: Token): void {
  for (;;) {
    const height = pass.find((frame) => isFormula(frame) || isDisplay(frame));
    if (height < 0) break;
    const frame = pass.stack[height]!;
    const inText = pass.stack.slice(height + 1).some((one) => one.mode === 'text');
    if (isDisplay(frame) && pass.hasCloserAhead(frame, index)) {
      if (!inText) pass.replace(token, '\n');
      return;
    }
    pass.closeDownTo(height, token.start);
  }
  const loose = pass.stack.findIndex(
    (frame) => frame.kind === 'group' && !frame.isMatched && frame.name !== '',
  );
  if (loose >= 0 && !pass.stack.slice(loose).some((frame) => frame.kind === 'environment')) {
    pass.closeDownTo(loose, token.start);
    return;
  }
  const frame = pass.top;
  if (frame.kind === 'group' && frame.isMatched && shortArgument.has(frame.name)) {
    pass.insert(token.start, '}');
    pass.insert(token.end, `\\${frame.name}{`);
  } else if (frame.kind === 'group' && headingLevels.has(frame.name)) pass.replace(token, ' ');
}

/** `}`: closes its partner or the nearest group; otherwise it is removed. */
export function visitClose(pass: StructurePass, index: number, token: Token): void {
  // Its partner first, even if an environment begun in between is unclosed.
  const own = pass.find((frame) => frame.kind === 'group' && pass.partner.get(frame.index) === index);
  const isHeld = pass.stack
    .slice(own + 1)
    .some((frame) => frame.kind === 'environment' && endsBefore(pass, frame, own, index));
  const nearest = pass.find(
    (frame) => frame.kind === 'group',
    (frame) => frame.kind === 'environment',
  );
  const height = own >= 0 && !isHeld ? own : nearest;
  if (height < 0) {
    pass.replace(token, '');
    return;
  }
  pass.closeDownTo(height + 1, token.start);
  const group = pass.pop(token.start);
  if (!group.isScript) pass.top.scripts = { up: false, down: false };
  pass.resume(group);
}

/** True if the environment's end is still ahead although the brace closes a group opened before it. */
function endsBefore(pass: StructurePass, frame: Frame, own: number, index: number): boolean {
  return own >= 0 && !listEnvironments.has(frame.name) && pass.hasCloserAhead(frame, index);
}
