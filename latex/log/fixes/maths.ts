/** Fixes for formulas: dollars, scripts, delimiters, empty lines. */

import { displayEnvironments, mathOnlyCommands } from '../../source/commands.ts';
import { readGroup } from '../../source/matches.ts';
import type { Token } from '../../source/scan.ts';
import type { SourceText } from '../../source/source-text.ts';
import { type Complaint, type Fixer, lastCommand, type Proposal } from '../rule.ts';
import { commandRange, cut, insertAt, paragraphText, renameOnLine, tokenAt } from './edits.ts';

const wrapInMaths = (source: SourceText, from: number, to: number): Proposal => ({
  title: `Write $${source.text.slice(from, to)}$`,
  edits: [insertAt(from, '$'), insertAt(to, '$')],
});

export const fixMissingDollar: Fixer = (complaint, source) => {
  const after = source.offsetAfter(complaint.line, complaint.before);
  const { tokens, spots } = source.annotated;
  if (after !== null) {
    const index = tokenAt(tokens, after - 1);
    const token = tokens[index]!;
    if (spots[index]!.mode === 'text') {
      if (token.kind === 'superscript' || token.kind === 'subscript') return fixScript(source, tokens, index);
      if (token.kind === 'command' && mathOnlyCommands.has(token.name)) {
        const { from, to } = commandRange(tokens, index);
        return wrapInMaths(source, from, to);
      }
      // TeX stops after the command's arguments
      for (let at = index; at >= 0 && at > index - 16 && tokens[at]!.kind !== 'break'; at--)
        if (
          tokens[at]!.kind === 'command' &&
          mathOnlyCommands.has(tokens[at]!.name) &&
          spots[at]!.mode === 'text'
        ) {
          const { from, to } = commandRange(tokens, at);
          return wrapInMaths(source, from, to);
        }
    }
  }
  return null;
};

/** Every script on a line of text: inside an argument, TeX does not say which. */
export const fixScripts: Fixer = ({ line, shownLine }, source) => {
  const { tokens, spots } = source.annotated;
  const near = [line, shownLine].filter((one) => one !== null);
  return tokens
    .flatMap((token, index) => {
      const isScript = token.kind === 'superscript' || token.kind === 'subscript';
      if (!isScript || spots[index]!.mode === 'math') return [];
      const at = source.positionOf(token.start).line;
      if (!near.some((one) => at <= one && at > one - 4)) return [];
      const escaped = {
        title: `Write \\${source.text[token.start]}`,
        edits: [insertAt(token.start, '\\')],
      };
      return [fixScript(source, tokens, index), token.kind === 'subscript' ? escaped : null];
    })
    .filter((one) => one !== null)
    .slice(0, 4);
};

function fixScript(source: SourceText, tokens: readonly Token[], index: number): Proposal | null {
  const token = tokens[index]!;
  const before = /[A-Za-z0-9]*$/.exec(source.text.slice(Math.max(0, token.start - 60), token.start))![0];
  const group = tokens[index + 1]?.kind === 'open' ? readGroup(tokens, index + 1) : null;
  const word = /^[A-Za-z0-9]*/.exec(source.text.slice(token.end, token.end + 60))![0];
  // letters on both sides: a file name, not an index
  if (token.kind === 'subscript' && !group && before.length > 1 && word.length > 1)
    return { title: 'Write \\_', edits: [insertAt(token.start, '\\')] };
  const number = /^\d+/.exec(word)?.[0] ?? '';
  const to = group
    ? tokens[group.close]!.end
    : token.end + Math.max(1, token.kind === 'superscript' ? number.length : 1);
  if (before === '' || to <= token.end)
    return {
      title: `Write \\${source.text[token.start]}{}`,
      edits: [{ from: token.start, to: token.end, insert: `\\${source.text[token.start]}{}` }],
    };
  const from = token.start - before.length;
  // 10^12 means twelve; TeX would raise only the 1
  if (!group && number.length > 1 && token.kind === 'superscript')
    return {
      title: `Write $${before}^{${number}}$`,
      edits: [{ from, to, insert: `$${before}^{${number}}$` }],
    };
  return wrapInMaths(source, from, to);
}

/** An empty line inside a formula that continues after it and ends in the next paragraph, near the line TeX names. */
export const removeBlankLine: Fixer = (complaint, source) => {
  const from = findBlankLine(complaint, source);
  if (from === null) return null;
  let last = from;
  while (source.lineText(last + 1).trim() === '') last++;
  return { title: 'Remove the empty line', edits: [cut(source.startOf(from), source.startOf(last + 1))] };
};

/** The first of the empty lines inside a formula that continues after them, near the line TeX names. */
export function findBlankLine(
  { line, shownLine }: Pick<Complaint, 'line' | 'shownLine'>,
  source: SourceText,
): number | null {
  const near = shownLine ?? line;
  if (near === null) return null;
  for (let blank = Math.max(2, near - 1); blank <= Math.min(source.lineCount - 1, near + 1); blank++) {
    if (source.lineText(blank).trim() !== '') continue;
    let first = blank;
    while (first > 1 && source.lineText(first - 1).trim() === '') first--;
    let last = blank;
    while (last < source.lineCount && source.lineText(last + 1).trim() === '') last++;
    const closer = openFormula(paragraphText(source, first - 1, -1));
    if (closer === null || !closesFirst(paragraphText(source, last + 1, 1), closer)) continue;
    return first;
  }
  return null;
}

/** What would close the formula that a paragraph leaves open; null if there is none. */
function openFormula(text: string): string | null {
  let closer: string | null = null;
  for (const [mark, begun, ended] of text.matchAll(
    /\\\\|\\\$|\\\[|\\\]|\\\(|\\\)|\$\$?|\\begin\{(\w+\*?)\}|\\end\{(\w+\*?)\}/g,
  )) {
    if (closer === null) {
      if (mark === '\\[' || mark === '\\(') closer = mark === '\\[' ? '\\]' : '\\)';
      else if (mark === '$' || mark === '$$') closer = mark;
      else if (begun && displayEnvironments.has(begun)) closer = `\\end{${begun}}`;
    } else if (mark === closer || (ended && closer === `\\end{${ended}}`)) closer = null;
  }
  return closer;
}

/** True if a paragraph begins inside a formula: it closes one before opening another. */
function closesFirst(text: string, closer: string): boolean {
  if (closer === '$' || closer === '$$')
    return (text.match(/(?<!\\)\$/g)?.length ?? 0) % (2 * closer.length) === closer.length;
  const at = text.indexOf(closer);
  if (at < 0) return false;
  const opener = closer === '\\]' ? '\\[' : closer === '\\)' ? '\\(' : closer.replace('\\end', '\\begin');
  const other = text.indexOf(opener);
  return other < 0 || at < other;
}

/**
 * A formula that its paragraph leaves open: closed at the end of the paragraph or, for `$`, of the line it
 * opens on.
 */
export const closeFormula: Fixer = ({ line, shownLine }, source) => {
  let last = shownLine ?? line;
  if (last === null) return null;
  while (last > 1 && source.lineText(last).trim() === '') last--;
  const paragraph = paragraphText(source, last, -1);
  const closer = openFormula(paragraph);
  if (closer === null) return null;
  if (closer.startsWith('\\end'))
    return { title: `Add ${closer}`, edits: [insertAt(source.endOf(last), `\n${closer}`)] };
  let opener = last;
  const first = last - paragraph.split('\n').length + 1;
  while (opener > first && openFormula(paragraphText(source, opener - 1, -1)) === closer) opener--;
  const text = source.lineText(opener).trimEnd();
  const end = source.startOf(opener) + text.replace(/[.,;:]$/, '').length;
  return {
    title: `Close the formula with ${closer}`,
    edits: [insertAt(end, closer.startsWith('$') ? closer : ` ${closer}`)],
  };
};

/** `x^2^3` → `{x^2}^3`; if the base is more than one character, `x^2{}^3`. */
export const fixDoubleScript: Fixer = ({ line, before }, source) => {
  if (line === null) return null;
  const proposals: Proposal[] = [];
  const script =
    /(\\[A-Za-z]+|[A-Za-z0-9)\]]|\{[^{}]{0,300}\})(([_^])(?:\{[^{}]{0,300}\}|\\[A-Za-z]+|[^\s\\{}]))(?=\3)/.exec(
      source.lineText(line),
    );
  if (script) {
    const from = source.startOf(line) + script.index;
    const [whole] = script;
    proposals.push({
      title: `Write {${whole}}`,
      edits: [insertAt(from, '{'), insertAt(from + whole.length, '}')],
    });
  }
  const after = source.offsetAfter(line, before);
  const { tokens } = source.annotated;
  if (after === null) return proposals;
  for (let at = tokenAt(tokens, after - 1); at > 0 && tokens[at]!.start >= source.startOf(line); at--) {
    const { kind, start } = tokens[at]!;
    if (kind !== 'superscript' && kind !== 'subscript') continue;
    proposals.push({ title: `Write {}${source.text[start]}`, edits: [insertAt(start, '{}')] });
    break;
  }
  return proposals;
};

const delimiter = /^(?:\s*(?:[()[\]|/.<>]|\\[{}|]|\\(?!left|right)[A-Za-z]+))/;

const isFormulaMark = (name: string) => name === '[' || name === ']' || name === '(' || name === ')';

/**
 * `\left`/`\right` without its partner: added before its bracket if there is one, else as an invisible one at
 * the formula's other end.
 */
export const fixDelimiter: Fixer = ({ line }, source) => {
  if (line === null) return null;
  const { tokens, spots } = source.annotated;
  const near = source.startOf(Math.max(1, line - 8));
  const end = tokenAt(tokens, Math.max(near, source.endOf(line) - 1));
  const proposals: Proposal[] = [];
  // useless in text
  for (let index = tokenAt(tokens, near); index <= end; index++) {
    const { kind, name, start, end: stop } = tokens[index]!;
    if (kind === 'command' && (name === 'left' || name === 'right') && spots[index]!.mode !== 'math')
      proposals.push({ title: `Remove \\${name}`, edits: [cut(start, stop)] });
  }
  // formulas span lines: from the beginning of the first on these lines to the end of the last
  let first = tokenAt(tokens, near);
  while (first > 0 && spots[first]!.mode === 'math' && tokens[first]!.kind !== 'break') first--;
  /** Cells of a formula and of its nested environments, outermost first. */
  const cells: { from: number; marks: number[] }[] = [{ from: first, marks: [] }];
  const endCell = (at: number) => {
    const cell = cells.at(-1)!;
    proposals.push(...pairDelimiters(source, cell, at));
    cells[cells.length - 1] = { from: at + 1, marks: [] };
  };
  for (let index = first; index < tokens.length; index++) {
    const { kind, name } = tokens[index]!;
    if (kind === 'command' && (name === 'left' || name === 'right')) cells.at(-1)!.marks.push(index);
    else if (kind === 'begin') cells.push({ from: index + 1, marks: [] });
    else if (kind === 'end') {
      endCell(index);
      if (cells.length > 1) cells.pop();
      else if (index > end) break;
    } else if (kind === 'ampersand' || (kind === 'command' && name === '\\')) endCell(index);
    else if (
      kind === 'break' ||
      kind === 'dollar' ||
      kind === 'double-dollar' ||
      (kind === 'command' && isFormulaMark(name))
    ) {
      endCell(index);
      if (index > end) break;
    }
  }
  return proposals;
};

/** The line of the formula that lacks a `\\left` or `\\right`. */
export function findDelimiterLine(complaint: Complaint, source: SourceText): number | null {
  const proposed = fixDelimiter(complaint, source, /^/.exec('')!);
  const [first] = proposed === null || 'edits' in proposed ? [] : proposed;
  return first ? source.positionOf(first.edits[0]!.from).line : null;
}

/** Most unpaired delimiters for which one cell is searched. */
const mostPartners = 3;

function pairDelimiters(
  source: SourceText,
  { from: first, marks }: { from: number; marks: readonly number[] },
  last: number,
): Proposal[] {
  const { tokens } = source.annotated;
  const open: number[] = [];
  const stray: number[] = [];
  for (const index of marks)
    if (tokens[index]!.name === 'left') open.push(index);
    else if (open.pop() === undefined) stray.push(index);
  const from = tokens[first]?.start ?? 0;
  const to = tokens[last]?.start ?? source.text.length;
  const proposals: Proposal[] = [];
  const closers = /\\(?:left|right|[Bb]igg?[lr]?)\s*$/;
  const isSized = (begin: number, place: number) =>
    closers.test(source.text.slice(Math.max(begin, place - 20), place));
  for (const index of open.slice(0, mostPartners)) {
    const begun = tokens[index]!.end;
    const mark = /^\s*(\\\{|[([|])/.exec(source.text.slice(begun, to))?.[1];
    const closer = mark && ({ '(': ')', '[': ']', '\\{': '\\}', '|': '|' } as Record<string, string>)[mark];
    const skip = begun + (mark ? source.text.slice(begun).indexOf(mark) + mark.length : 0);
    for (
      let place = closer ? source.text.indexOf(closer, skip) : -1;
      place >= 0 && place < to;
      place = source.text.indexOf(closer!, place + 1)
    ) {
      if (isSized(skip, place)) continue;
      proposals.push({ title: `Write \\right${closer}`, edits: [insertAt(place, '\\right')] });
      if (proposals.length > 2) break;
    }
    const end = from + source.text.slice(from, to).trimEnd().length;
    proposals.push({ title: 'Add \\right.', edits: [insertAt(end, ' \\right.')] });
  }
  for (const index of stray.slice(0, mostPartners)) {
    const token = tokens[index]!;
    const mark = /^\s*(\\\}|[)\]|])/.exec(source.text.slice(token.end, to))?.[1];
    const opener = mark && ({ ')': '(', ']': '[', '\\}': '\\{', '|': '|' } as Record<string, string>)[mark];
    for (
      let place = opener ? source.text.lastIndexOf(opener, token.start - 1) : -1;
      place >= from;
      place = source.text.lastIndexOf(opener!, place - 1)
    ) {
      if (!isSized(from, place))
        proposals.push({ title: `Write \\left${opener}`, edits: [insertAt(place, '\\left')] });
      if (proposals.length > 2 || place === 0) break;
    }
    proposals.push({ title: 'Add \\left.', edits: [insertAt(from, '\\left. ')] });
  }
  return proposals;
}

export const fixBareDelimiter: Fixer = ({ line }, source) => {
  if (line === null) return null;
  const text = source.lineText(line);
  const start = source.startOf(line);
  const found = [...text.matchAll(/\\(?:left|right)(?![A-Za-z])/g)].filter(
    ({ index, 0: { length } }) =>
      !delimiter.test(text.slice(index + length)) ||
      /^\s*\\(?:frac|sum|int)/.test(text.slice(index + length)),
  );
  const edits = found.map(({ index, 0: { length } }) =>
    insertAt(start + index + length, /^[{}]/.test(text.slice(index + length)) ? '\\' : '.'),
  );
  const twice = /\\(left|right)(?=\s*\\\1)/.exec(text);
  const proposals: Proposal[] = [];
  if (twice) {
    const from = start + twice.index;
    proposals.push({ title: `Remove one \\${twice[1]}`, edits: [cut(from, from + twice[0].length)] });
  }
  if (edits.length > 0) proposals.push({ title: 'Write the bracket TeX needs', edits });
  return proposals;
};

export const wrapCommand: Fixer = ({ line, message }, source) => {
  const name = lastCommand(message.replace(/^LaTeX Error: | allowed only.*$/g, ''));
  if (!name || line === null) return null;
  const { tokens, spots } = source.annotated;
  const at = tokens.findIndex(
    (token, index) =>
      token.name === name && spots[index]!.mode === 'text' && source.positionOf(token.start).line === line,
  );
  if (at < 0) return null;
  const { from, to } = commandRange(tokens, at);
  return wrapInMaths(source, from, to);
};

export const removeSecondTag: Fixer = ({ line }, source) => {
  for (const place of line === null ? [] : [line, line - 1]) {
    const found = [...source.lineText(place).matchAll(/[ \t]{0,80}\\tag\*?\{[^}]{0,300}\}/g)];
    if (found.length < 2) continue;
    const from = source.startOf(place) + found[1]!.index;
    return { title: 'Remove the second \\tag', edits: [cut(from, from + found[1]![0].length)] };
  }
  return null;
};

/** A superfluous `\[` or `\]`. */
export const removeMark: Fixer = ({ line, before }, source) => {
  const after = source.offsetAfter(line, before);
  const mark = after === null ? '' : source.text.slice(after - 2, after);
  return after !== null && (mark === '\\[' || mark === '\\]')
    ? { title: `Remove this ${mark}`, edits: [cut(after - 2, after)] }
    : null;
};

export const endDisplay: Fixer = ({ line, before }, source) => {
  const after = source.offsetAfter(line, before);
  if (after === null || line === null) return null;
  const at = source.text.lastIndexOf('$', after);
  return at < source.startOf(line) ? null : { title: 'End it with $$', edits: [insertAt(at, '$')] };
};

export const removeLimits: Fixer = (complaint, source) =>
  renameOnLine(complaint, source, '\\limits', '', 'Remove \\limits');
