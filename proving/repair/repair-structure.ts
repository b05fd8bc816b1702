/**
 * Repair by rule without TeX: one pass over a body with a stack of what is open repairs what cannot be right (braces,
 * dollar signs, environments, alignments, scripts). Correct LaTeX needs no splice.
 * This file walks the tokens; `structure/` has the stack and what each kind of token does to it.
 */
import { headingLevels } from '#latex/source/commands.ts';
import { escapeLatex } from '#latex/source/escape.ts';
import { readOptional } from '#latex/source/matches.ts';
import { applySplices, type Splice } from '#latex/source/splice.ts';
import { annotate } from '#latex/source/syntax.ts';
import { repairDollars } from './repair-dollars.ts';
import { beginAtom, isScriptArgument, visitScript } from './structure/atoms.ts';
import { visitCommand } from './structure/commands.ts';
import { visitAmpersand, visitBegin, visitEnd } from './structure/environments.ts';
import { visitDollar, visitDoubleDollar } from './structure/formulas.ts';
import { visitBreak, visitClose } from './structure/groups.ts';
import { needItem } from './structure/items.ts';
import { StructurePass } from './structure/structure-pass.ts';

/** Returns splices that repair the structure of a body. The result may be repaired again: a second pass finds less. */
export function repairStructure(body: string): Splice[] {
  const annotated = annotate(body);
  const dollars = repairDollars(body, annotated);
  if (dollars.length > 0) {
    // The rest depends on where formulas are: repair the dollar signs first, then everything else in a second pass.
    const { text } = applySplices(body, dollars);
    if (text !== body) return dollars;
  }
  return walk(new StructurePass(body, annotated.tokens));
}

function walk(pass: StructurePass): Splice[] {
  for (let index = 0; index < pass.tokens.length; index++) {
    pass.endOwnFormulas(pass.tokens[index]!.start);
    visit(pass, index);
  }
  pass.endOwnFormulas(pass.text.length);
  const last = pass.tokens[pass.tokens.length - 1];
  const end = pass.text.trimEnd().length;
  if (last?.kind === 'comment' && pass.stack.length > 0) pass.insert(end, '\n');
  pass.closeDownTo(0, end);
  return pass.splices;
}

function visit(pass: StructurePass, index: number): void {
  const token = pass.tokens[index]!;
  const frame = pass.top;
  switch (token.kind) {
    case 'space':
      // An unclosed heading or chemical formula ends with its line.
      if (
        frame.kind === 'group' &&
        (headingLevels.has(frame.name) || frame.mode === 'raw') &&
        frame.index >= 0 &&
        !frame.isMatched &&
        pass.text.slice(token.start, token.end).includes('\n')
      ) {
        pass.closeDownTo(pass.stack.length - 1, token.start);
      }
      return;
    case 'comment':
      return;
    case 'break':
      visitBreak(pass, index, token);
      break;
    case 'open': {
      const mode = pass.pending.shift() ?? frame.mode;
      beginAtom(pass, frame, index);
      const group = pass.push('group', pass.owner, mode, index);
      group.isScript = isScriptArgument(pass, index);
      pass.forget();
      return;
    }
    case 'close':
      visitClose(pass, index, token);
      return;
    case 'bracket-open':
      if (pass.canTakeOptional && readOptional(pass.tokens, index)) {
        pass.push('optional', '', 'raw', index);
        pass.forget();
        return;
      }
      beginAtom(pass, frame, index);
      break;
    case 'bracket-close':
      if (frame.kind === 'optional') {
        pass.resume(frame);
        pass.stack.pop();
        return;
      }
      break;
    case 'dollar':
      visitDollar(pass, index, token);
      break;
    case 'double-dollar':
      visitDoubleDollar(pass, index, token);
      break;
    case 'begin':
      visitBegin(pass, index, token);
      return;
    case 'end':
      visitEnd(pass, index, token);
      break;
    case 'ampersand':
      visitAmpersand(pass, token);
      break;
    case 'hash':
      if (frame.mode !== 'raw') pass.replace(token, '\\#');
      break;
    case 'superscript':
    case 'subscript':
      visitScript(pass, index, token);
      break;
    case 'verbatim':
      needItem(pass, token);
      if (
        /^(verb|lstinline)\*?$/.test(token.name) &&
        pass.find((one) => one.kind !== 'environment' || one.mode === 'math') >= 0
      ) {
        const shown = pass.text
          .slice(token.start, token.end)
          .replace(/^\\[a-z]+\*?/, '')
          .slice(1, -1);
        pass.replace(token, `\\texttt{${escapeLatex(shown)}}`);
      }
      break;
    case 'text':
      // A backslash at the very end would join with whatever follows.
      if (pass.text[token.start] === '\\') pass.replace(token, '');
      needItem(pass, token);
      beginAtom(pass, frame, index);
      break;
    case 'command':
      visitCommand(pass, index, token);
      return;
  }
  pass.forget();
}
