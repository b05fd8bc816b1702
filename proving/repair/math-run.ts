/** Finds the extent of a formula that lacks its dollar signs. */
import { mathOnlyCommands } from '#latex/source/commands.ts';
import { closerOf } from '#latex/source/matches.ts';
import type { Token } from '#latex/source/scan.ts';
import { isProse } from './repair-dollars.ts';

const spacing = /^[,;:!> {}|]$/;
const attached = new Set([
  'text',
  'mathrm',
  'mathbf',
  'mathbb',
  'mathcal',
  'textrm',
  'ensuremath',
  'operatorname',
  'mathit',
]);

export const isMathCommand = (name: string) => mathOnlyCommands.has(name) || attached.has(name);

/** True if the token at `index` occurs only in formulas, or plausibly belongs to one. */
function isMathLike(text: string, tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (!token) return false;
  if (token.kind === 'superscript' || token.kind === 'subscript') return true;
  if (token.kind === 'command') return mathOnlyCommands.has(token.name);
  if (token.kind !== 'text') return false;
  const word = text.slice(token.start, token.end);
  if (/^[+\-=<>*/|():]+$/.test(word)) return true;
  const next = tokens[index + 1];
  if (next?.kind === 'superscript' || next?.kind === 'subscript') return !isProse(word);
  return /^[\d(+\-=<>*/|]*[a-zA-Z\d]?[\d)+\-=<>*/|,.]*$/.test(word) && !/^[aAI]$/.test(word);
}

/** Returns the end offset of the run of tokens from `index` that reads as one formula. */
export function mathRunEnd(text: string, tokens: readonly Token[], index: number): number {
  let i = index;
  let end = tokens[index]!.start;
  while (i < tokens.length) {
    const token = tokens[i]!;
    if (token.kind === 'superscript' || token.kind === 'subscript') {
      end = token.end;
      i++;
      const argument = tokens[i];
      if (argument?.kind === 'open') {
        const close = closerOf(tokens, i);
        if (close < 0) break;
        end = tokens[close]!.end;
        i = close + 1;
      } else if (argument?.kind === 'command') {
        end = argument.end;
        i++;
      } else if (argument?.kind === 'text') {
        const word = text.slice(argument.start, argument.end);
        // `x^2 and`: one character is the script; what follows it without a space is examined further.
        const glued = /^[\p{L}\d][\d+\-=*/()<>,.|']*$/u.test(word) || !isProse(word.slice(1));
        end = glued ? argument.end : argument.start + 1;
        if (!glued) break;
        i++;
      }
    } else if (token.kind === 'command') {
      if (!isMathCommand(token.name) && !spacing.test(token.name)) break;
      end = token.end;
      i++;
      while (tokens[i]?.kind === 'open') {
        const close = closerOf(tokens, i);
        if (close < 0) return end;
        end = tokens[close]!.end;
        i = close + 1;
      }
    } else if (token.kind === 'text') {
      if (isProse(text.slice(token.start, token.end))) break;
      end = token.end;
      i++;
    } else if (token.kind === 'bracket-open' || token.kind === 'bracket-close') {
      end = token.end;
      i++;
    } else if (token.kind === 'open') {
      const close = closerOf(tokens, i);
      if (close < 0) break;
      end = tokens[close]!.end;
      i = close + 1;
    } else if (token.kind === 'space') {
      if (!isMathLike(text, tokens, i + 1)) break;
      i++;
    } else break;
  }
  const tail = /[.,;:!?]+$/.exec(text.slice(tokens[index]!.start, end));
  return tail && !/\\[,;:!]$/.test(text.slice(0, end)) ? end - tail[0].length : end;
}

/** Returns the start offset of the formula containing token `index`: what is attached on its left. */
export function mathRunStart(text: string, tokens: readonly Token[], index: number): number {
  let i = index;
  while (i > 0) {
    const token = tokens[i - 1]!;
    if (token.kind === 'text') {
      const word = text.slice(token.start, token.end);
      if (isProse(word)) {
        // `value=x^2`: the last letter carries the script.
        return i === index ? token.end - (/[\p{L}\d)]$/u.test(word) ? 1 : 0) : tokens[i]!.start;
      }
      const opening = /^[("'“„«]+(?=[^)]*$)/u.exec(word);
      if (opening) return token.start + opening[0].length;
      i--;
    } else if (token.kind === 'close') {
      let depth = 0;
      let j = i - 1;
      for (; j >= 0; j--) {
        if (tokens[j]!.kind === 'close') depth++;
        if (tokens[j]!.kind === 'open' && --depth === 0) break;
      }
      if (j < 0) break;
      const command = tokens[j - 1];
      if (command?.kind === 'command') {
        if (!isMathCommand(command.name)) break;
        i = j - 1;
      } else i = j;
    } else if (token.kind === 'command' && isMathCommand(token.name)) i--;
    else break;
  }
  return tokens[i]!.start;
}
