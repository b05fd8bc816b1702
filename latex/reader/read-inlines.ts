/** Reads running text: words, styles, formulas, references, footnotes. */

import {
  citationCommands,
  displayEnvironments,
  equationReferences,
  formulaCommands,
  namedReferences,
  printedArguments,
  referenceCommands,
  styleCommands,
  styleSwitches,
} from '../source/commands.ts';
import { closerOf, readGroup, readOptional, skipSpace } from '../source/matches.ts';
import { printLigatures } from '../source/print-ligatures.ts';
import { scanLatex, type Token } from '../source/scan.ts';
import { accentOf, printedText } from '../source/text-commands.ts';
import { withoutColumns } from './read-display.ts';
import { maxNesting, type ReaderState } from './state.ts';
import type { Inline, ReferenceForm } from './tree.ts';

const referenceForm = (name: string): ReferenceForm | null => {
  if (citationCommands.has(name)) return 'citation';
  if (!referenceCommands.has(name)) return null;
  return equationReferences.has(name) ? 'equation' : namedReferences.has(name) ? 'named' : 'number';
};

/** @param latex without paragraph breaks: they are read as spaces */
export function readInlines(state: ReaderState, latex: string): Inline[] {
  if (state.nesting >= maxNesting) return [{ kind: 'text', text: latex }];
  state.nesting++;
  try {
    const tokens = scanLatex(latex);
    const out: Inline[] = [];
    let index = 0;
    while (index < tokens.length) {
      const name = tokens[index]!.kind === 'command' ? tokens[index]!.name : '';
      const style = styleSwitches.get(name);
      if (style) {
        const rest = readInlines(state, latex.slice(tokens[index]!.end).trimStart());
        if (rest.length > 0) out.push({ kind: 'styled', style, content: rest });
        break;
      }
      index = readInline(state, latex, tokens, index, out);
    }
    return joinTexts(out);
  } finally {
    state.nesting--;
  }
}

/** Reads what is at `index` and returns the index after it, always greater. */
export function readInline(
  state: ReaderState,
  latex: string,
  tokens: readonly Token[],
  index: number,
  out: Inline[],
): number {
  const token = tokens[index]!;
  const source = latex.slice(token.start, token.end);
  const put = (text: string) => out.push({ kind: 'text', text });
  switch (token.kind) {
    case 'text':
      put(printLigatures(source));
      return index + 1;
    case 'space':
    case 'break':
      put(' ');
      return index + 1;
    case 'tilde':
      put('\u00a0');
      return index + 1;
    case 'comment':
    case 'close':
    case 'ampersand':
      return index + 1;
    case 'open': {
      const close = closerOf(tokens, index);
      if (close < 0) return index + 1;
      out.push(...readInlines(state, latex.slice(token.end, tokens[close]!.start)));
      return close + 1;
    }
    case 'dollar':
    case 'double-dollar': {
      const close = closerOf(tokens, index);
      if (close < 0) {
        put('$');
        return index + 1;
      }
      putFormula(out, latex.slice(token.end, tokens[close]!.start), token.kind === 'double-dollar');
      return close + 1;
    }
    case 'verbatim':
      out.push(readVerbatim(token.name, source));
      return index + 1;
    case 'begin': {
      // an environment within a line: a displayed formula in a cell, a list in a footnote
      const end = closerOf(tokens, index);
      const inner = latex.slice(token.end, end < 0 ? latex.length : tokens[end]!.start);
      if (displayEnvironments.has(token.name))
        putFormula(out, withoutColumns(token.name, inner), token.name !== 'math');
      else out.push(...readInlines(state, inner));
      return end < 0 ? tokens.length : end + 1;
    }
    case 'command':
      return readCommand(state, latex, tokens, index, out);
    case 'end':
      return index + 1;
    default:
      put(source);
      return index + 1;
  }
}

function putFormula(out: Inline[], tex: string, isDisplay: boolean): void {
  if (tex.trim() !== '') out.push({ kind: 'formula', tex: tex.trim(), isDisplay });
}

function readVerbatim(name: string, source: string): Inline {
  if (name === 'url' || name === 'nolinkurl') {
    const address = source.slice(source.indexOf('{') + 1, -1);
    return { kind: 'link', address: safeAddress(address), content: [{ kind: 'text', text: address }] };
  }
  const begin = name === 'verb' || name === 'lstinline' ? source.indexOf(name) + name.length + 1 : 0;
  const text = begin > 0 ? source.slice(source[begin - 1] === '*' ? begin + 1 : begin, -1) : source;
  return { kind: 'styled', style: 'code', content: [{ kind: 'text', text }] };
}

/** Only web and mail addresses; any other becomes empty, which writers do not link. */
function safeAddress(address: string): string {
  const clean = address.replace(/\\([%#&_~])/g, '$1').trim();
  return /^(https?:\/\/|mailto:)[^\s"<>]+$/i.test(clean) ? clean : '';
}

function readCommand(
  state: ReaderState,
  latex: string,
  tokens: readonly Token[],
  index: number,
  out: Inline[],
): number {
  const token = tokens[index]!;
  const name = token.name.length > 1 ? token.name.replace(/\*$/, '') : token.name;
  const put = (text: string) => out.push({ kind: 'text', text });
  const inside = (group: { start: number; end: number }) => latex.slice(group.start, group.end);
  const group = readGroup(tokens, index + 1);

  if (name === '(' || name === '[') {
    const close = closerOf(tokens, index);
    if (close < 0) return index + 1;
    putFormula(out, latex.slice(token.end, tokens[close]!.start), name === '[');
    return close + 1;
  }
  const style = styleCommands.get(name);
  if (style) {
    const argument = readGroup(tokens, skipOptionals(tokens, index + 1));
    if (!argument) return index + 1;
    out.push({ kind: 'styled', style, content: readInlines(state, inside(argument)) });
    return argument.close + 1;
  }
  const printed = printedText(name);
  if (printed !== null) {
    put(printed);
    // a space after a command's name only ends the name
    const isWord = /^[A-Za-z]/.test(name) && tokens[index + 1]?.kind === 'space';
    const isEmptyGroup = group && group.start === group.end && group.open === index + 1;
    return isEmptyGroup ? group.close + 1 : index + (isWord ? 2 : 1);
  }
  const accent = accentOf(name);
  if (accent) return readAccent(latex, tokens, index, accent, out);
  if (formulaCommands.has(name) && readGroup(tokens, skipOptionals(tokens, index + 1))) {
    let end = index + 1;
    for (const _ of printedArguments(name)!) {
      const argument = readGroup(tokens, skipOptionals(tokens, end));
      if (!argument) break;
      end = argument.close + 1;
    }
    putFormula(out, latex.slice(token.start, tokens[end - 1]!.end), false);
    return end;
  }
  const form = referenceForm(name);
  if (form) {
    const optional = readOptional(tokens, index + 1);
    const argument = readGroup(tokens, optional ? optional.close + 1 : index + 1);
    if (!argument) return index + 1;
    inside(argument)
      .split(',')
      .forEach((label, position) => {
        if (position > 0) put(', ');
        out.push({ kind: 'reference', label: label.trim(), form });
      });
    return argument.close + 1;
  }
  return readOther(state, latex, tokens, index, name, out);
}

function readOther(
  state: ReaderState,
  latex: string,
  tokens: readonly Token[],
  index: number,
  name: string,
  out: Inline[],
): number {
  const inside = (group: { start: number; end: number }) => latex.slice(group.start, group.end);
  const group = readGroup(tokens, index + 1);
  switch (name) {
    case '\\':
    case 'newline':
    case 'linebreak': {
      out.push({ kind: 'line-break' });
      const length = readOptional(tokens, index + 1);
      const isLength = length && /^\s*-?[\d.]*\s*(\\[a-z]+|[a-z]{2})/.test(inside(length));
      return isLength ? length.close + 1 : index + 1;
    }
    case 'label':
      if (group) state.setLabel(inside(group).trim());
      return group ? group.close + 1 : index + 1;
    case 'footnote':
    case 'footnotetext':
    case 'thanks': {
      const argument = readGroup(tokens, skipOptionals(tokens, index + 1));
      if (!argument) return index + 1;
      out.push({ kind: 'footnote', content: readInlines(state, inside(argument)) });
      return argument.close + 1;
    }
    case 'href': {
      const text = group ? readGroup(tokens, group.close + 1) : null;
      if (!group || !text) return index + 1;
      const content = readInlines(state, inside(text));
      out.push({ kind: 'link', address: safeAddress(inside(group)), content });
      return text.close + 1;
    }
    case 'includegraphics': {
      const options = readOptional(tokens, index + 1);
      const argument = readGroup(tokens, skipOptionals(tokens, index + 1));
      if (!argument) return index + 1;
      const image = inside(argument).trim();
      out.push({ kind: 'image', name: image, width: options ? readWidth(inside(options)) : null });
      return argument.close + 1;
    }
    default:
      return readArguments(state, latex, tokens, index, name, out);
  }
}

/** The index after all options at `from`. */
export const skipOptionals = (tokens: readonly Token[], from: number): number => {
  let at = from;
  for (let one = readOptional(tokens, at); one; one = readOptional(tokens, at)) at = one.close + 1;
  return at;
};

/** For any other command: its arguments whose words print. */
function readArguments(
  state: ReaderState,
  latex: string,
  tokens: readonly Token[],
  index: number,
  name: string,
  out: Inline[],
): number {
  const isPrinted = printedArguments(name);
  if (!isPrinted) {
    // arguments of an unknown command are shown: words are never lost
    const isEnded = tokens[index + 1]?.kind === 'space' && !readGroup(tokens, index + 1);
    return index + (isEnded ? 2 : 1);
  }
  let at = skipOptionals(tokens, index + 1);
  for (const prints of isPrinted) {
    const argument = readGroup(tokens, at);
    // \\multirow{2}*{text}: an argument without braces
    const bare = skipSpace(tokens, at);
    if (argument && prints) out.push(...readInlines(state, latex.slice(argument.start, argument.end)));
    if (!argument && (!tokens[bare] || latex.slice(tokens[bare].start, tokens[bare].end) !== '*')) break;
    at = (argument?.close ?? bare) + 1;
  }
  return at;
}

/** `width=0.8\textwidth` → 0.8; 15 cm is a line of A4. */
function readWidth(options: string): number | null {
  const share = /width\s*=\s*([\d.]*)\s*\\(?:text|line|column|paper)width/.exec(options);
  if (share) return Math.min(1, share[1] === '' ? 1 : Number(share[1]) || 1);
  const length = /width\s*=\s*([\d.]+)\s*(cm|mm|in|pt)/.exec(options);
  if (!length) return null;
  const inCm = { cm: 1, mm: 0.1, in: 2.54, pt: 0.0351 }[length[2] as 'cm'];
  return Math.min(1, (Number(length[1]) * inCm) / 15);
}

function readAccent(
  latex: string,
  tokens: readonly Token[],
  index: number,
  combining: string,
  out: Inline[],
): number {
  const at = skipSpace(tokens, index + 1);
  const next = tokens[at];
  const group = readGroup(tokens, at);
  const put = (base: string, rest: string) => {
    const letter = base.replace(/\\?[ıȷ]|\\i\b|\\j\b/g, (dotless) => (/i|ı/.test(dotless) ? 'i' : 'j'));
    const [first = ' ', ...others] = [...letter];
    out.push({ kind: 'text', text: (first + combining + others.join('')).normalize('NFC') + rest });
  };
  if (group) {
    put(latex.slice(group.start, group.end), '');
    return group.close + 1;
  }
  if (next?.kind === 'command' && (next.name === 'i' || next.name === 'j')) {
    put(next.name, '');
    return at + 1;
  }
  if (next?.kind !== 'text') return index + 1;
  const [first = '', ...rest] = [...latex.slice(next.start, next.end)];
  put(first, printLigatures(rest.join('')));
  return at + 1;
}

/** Merges neighbouring texts and collapses white space. */
export function joinTexts(content: readonly Inline[]): Inline[] {
  const out: Inline[] = [];
  for (const one of content) {
    const last = out.at(-1);
    if (one.kind === 'text' && last?.kind === 'text') last.text += one.text;
    else if (one.kind !== 'text' || one.text !== '') out.push(one.kind === 'text' ? { ...one } : one);
  }
  for (const one of out) if (one.kind === 'text') one.text = one.text.replace(/ {2,}/g, ' ');
  return out;
}

/** Trims white space at both ends. */
export function trimInlines(content: readonly Inline[]): Inline[] {
  const out = joinTexts(content);
  const isBlank = (one: Inline | undefined) =>
    one?.kind === 'line-break' || (one?.kind === 'text' && one.text.trim() === '');
  while (isBlank(out[0])) out.shift();
  while (isBlank(out.at(-1))) out.pop();
  const first = out[0];
  if (first?.kind === 'text') first.text = first.text.trimStart();
  const last = out.at(-1);
  if (last?.kind === 'text') last.text = last.text.replace(/ +$/, '');
  return out;
}
