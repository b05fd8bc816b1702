/** The rules of log-fix.ts: the first that matches and is sure of an edit speaks. */
import { escapeLatex } from './escape.ts';
import type { Clue, Proposal, TextEdit } from './log-fix.ts';
import { nearestCommand, nearestEnvironment, nearestPackage } from './log-names.ts';
import { lastCommand } from './log-suggest.ts';
import { mathArity, mathOnlyCommands } from './modes.ts';
import { findCommandPackage, findEnvironmentPackage, isKnownPackage } from './package-table.ts';
import { definedCommands } from './preamble.ts';
import { readGroup, readOptional, type Token } from './scan.ts';
import type { SourceText } from './source-text.ts';
import { mathCharacters } from './unicode-table.ts';

interface FixRule {
  pattern: RegExp;
  propose: (match: RegExpExecArray, clue: Clue, source: SourceText) => Proposal | null;
}

export const emptyLineTitle = 'Remove the empty line';

const insertAt = (at: number, insert: string): TextEdit => ({ from: at, to: at, insert });
const cut = (from: number, to: number): TextEdit => ({ from, to, insert: '' });
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const listNames = new Set(['itemize', 'enumerate', 'description']);

/** A line for the preamble, just before `\begin{document}`. */
function toPreamble(source: SourceText, line: string): TextEdit | null {
  const at = source.bodyStart;
  return at === null ? null : insertAt(at, `${line}\n`);
}

function loadPackage(source: SourceText, name: string): Proposal | null {
  const edit = toPreamble(source, `\\usepackage{${name}}`);
  return edit && { title: `Add \\usepackage{${name}}`, edits: [edit] };
}

const isLoaded = (source: SourceText, name: string) =>
  new RegExp(`^[^%\\n]*\\\\usepackage[^{}\\n]*\\{[^}]*\\b${literal(name)}\\b`, 'm').test(source.text);

function fixUndefined({ breakPoint, before }: Clue, source: SourceText): Proposal | null {
  const name = lastCommand(breakPoint) ?? lastCommand(before);
  if (!name) return null;
  const uses = source.annotated.tokens.filter(
    (token) =>
      (token.kind === 'command' || token.kind === 'verbatim') && token.name.replace(/\*$/, '') === name,
  );
  if (uses.length === 0) return null;
  const owner = findCommandPackage(name);
  if (owner) return isLoaded(source, owner) ? null : loadPackage(source, owner);
  const meant = nearestName(name, source);
  if (!meant) return null;
  const edits = uses.map(({ start }) => ({ from: start + 1, to: start + 1 + name.length, insert: meant }));
  const brought = findCommandPackage(meant);
  const load = brought && !isLoaded(source, brought) ? loadPackage(source, brought) : null;
  return { title: `Change \\${name} to \\${meant}`, edits: [...edits, ...(load?.edits ?? [])] };
}

/** What the document defines itself comes before the common names. */
function nearestName(name: string, source: SourceText): string | null {
  for (const own of definedCommands(source.text)) {
    const plain = own.replace(/^\\/, '');
    if (plain !== name && plain.toLowerCase() === name.toLowerCase()) return plain;
  }
  return nearestCommand(name);
}

const theoremLike =
  /^(?:theorem|lemma|proposition|corollary|definition|remark|example|claim|exercise|problem|solution)$/i;

function fixEnvironment(name: string, source: SourceText): Proposal | null {
  const owner = findEnvironmentPackage(name);
  if (owner && !isLoaded(source, owner)) return loadPackage(source, owner);
  if (theoremLike.test(name)) {
    const line = `\\newtheorem{${name}}{${name[0]!.toUpperCase()}${name.slice(1)}}`;
    const edit = toPreamble(source, line);
    return edit && { title: `Add ${line}`, edits: [edit] };
  }
  const meant = nearestEnvironment(name);
  if (!meant) return null;
  const edits = source.annotated.tokens.flatMap((token) => {
    if ((token.kind !== 'begin' && token.kind !== 'end') || token.name !== name) return [];
    const from = source.text.indexOf('{', token.start) + 1;
    return [{ from, to: token.end - 1, insert: meant }];
  });
  return { title: `Change ${name} to ${meant}`, edits };
}

/** Index of the token that covers an offset's character. */
function tokenAt(tokens: readonly Token[], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (tokens[middle]!.start <= offset) low = middle;
    else high = middle;
  }
  return low;
}

/** Offsets of a command with its arguments. */
function commandRange(tokens: readonly Token[], index: number): { from: number; to: number } {
  const token = tokens[index]!;
  let at = index + 1;
  let to = token.end;
  const optional = readOptional(tokens, at);
  if (optional) {
    at = optional.close + 1;
    to = tokens[optional.close]!.end;
  }
  for (let arity = mathArity[token.name] ?? 9; arity > 0; arity--) {
    const group = tokens[at]?.kind === 'open' ? readGroup(tokens, at) : null;
    if (!group) break;
    at = group.close + 1;
    to = tokens[group.close]!.end;
  }
  return { from: token.start, to };
}

const wrapInMaths = (source: SourceText, from: number, to: number): Proposal => ({
  title: `Write $${source.text.slice(from, to)}$`,
  edits: [insertAt(from, '$'), insertAt(to, '$')],
});

function fixMissingDollar(clue: Clue, source: SourceText): Proposal | null {
  const after = source.offsetAfter(clue.line, clue.before);
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
      // TeX stops behind the command's arguments
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
  return removeBlankLine(clue, source) ?? closeFormula(clue, source);
}

function fixScript(source: SourceText, tokens: readonly Token[], index: number): Proposal | null {
  const token = tokens[index]!;
  const before = /[A-Za-z0-9]*$/.exec(source.text.slice(Math.max(0, token.start - 60), token.start))![0];
  const group = tokens[index + 1]?.kind === 'open' ? readGroup(tokens, index + 1) : null;
  const word = /^[A-Za-z0-9]*/.exec(source.text.slice(token.end, token.end + 60))![0];
  // letters on both sides: the name of a file, not an index
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
  // 10^12 means twelve, TeX would raise the 1 alone
  if (!group && number.length > 1 && token.kind === 'superscript')
    return {
      title: `Write $${before}^{${number}}$`,
      edits: [{ from, to, insert: `$${before}^{${number}}$` }],
    };
  return wrapInMaths(source, from, to);
}

/** An empty line inside a formula that goes on after it and ends in the next paragraph, near the line TeX names. */
function removeBlankLine({ line, shownLine }: Clue, source: SourceText): Proposal | null {
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
    const from = source.startOf(first);
    return { title: emptyLineTitle, edits: [cut(from, source.startOf(last + 1))] };
  }
  return null;
}

/** The lines around an empty one, up to the next empty one. */
function paragraphText(source: SourceText, line: number, step: 1 | -1): string {
  const lines: string[] = [];
  for (let at = line; at >= 1 && at <= source.lineCount && lines.length < 200; at += step) {
    const text = source.lineText(at);
    if (text.trim() === '') break;
    lines.push(text.replace(/(?<!\\)%.*$/, ''));
  }
  return (step < 0 ? lines.reverse() : lines).join('\n');
}

const formulaNames = /^(?:equation|displaymath|math|align|gather|multline|flalign|alignat|eqnarray)\*?$/;

/** What would close the formula that a paragraph leaves open; null when it leaves none. */
function openFormula(text: string): string | null {
  let closer: string | null = null;
  for (const [mark, begun, ended] of text.matchAll(
    /\\\\|\\\$|\\\[|\\\]|\\\(|\\\)|\$\$?|\\begin\{(\w+\*?)\}|\\end\{(\w+\*?)\}/g,
  )) {
    if (closer === null) {
      if (mark === '\\[' || mark === '\\(') closer = mark === '\\[' ? '\\]' : '\\)';
      else if (mark === '$' || mark === '$$') closer = mark;
      else if (begun && formulaNames.test(begun)) closer = `\\end{${begun}}`;
    } else if (mark === closer || (ended && closer === `\\end{${ended}}`)) closer = null;
  }
  return closer;
}

/** Whether a paragraph begins inside a formula: it closes one before it opens another. */
function closesFirst(text: string, closer: string): boolean {
  if (closer === '$' || closer === '$$')
    return (text.match(/(?<!\\)\$/g)?.length ?? 0) % (2 * closer.length) === closer.length;
  const at = text.indexOf(closer);
  if (at < 0) return false;
  const opener = closer === '\\]' ? '\\[' : closer === '\\)' ? '\\(' : closer.replace('\\end', '\\begin');
  const other = text.indexOf(opener);
  return other < 0 || at < other;
}

/** A formula that its paragraph leaves open: closed where the paragraph, or for `$` the line it opens on, ends. */
function closeFormula({ line, shownLine }: Clue, source: SourceText): Proposal | null {
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
}

/** The character TeX stopped behind, when it is the one named. */
function culprit(clue: Clue, source: SourceText, character: string): number | null {
  const after = source.offsetAfter(clue.line, clue.before);
  return after !== null && source.text[after - 1] === character ? after - 1 : null;
}

const removeCulprit =
  (character: string) =>
  (_: unknown, clue: Clue, source: SourceText): Proposal | null => {
    const at = culprit(clue, source, character);
    return at === null ? null : { title: `Remove this ${character}`, edits: [cut(at, at + 1)] };
  };
const escapeCulprit =
  (character: string) =>
  (_: unknown, clue: Clue, source: SourceText): Proposal | null => {
    const after = source.offsetAfter(clue.line, clue.before);
    const at = after === null ? -1 : source.text.lastIndexOf(character, after - 1);
    if (at < 0 || at < source.startOf(clue.line!)) return null;
    return { title: `Write \\${character}`, edits: [insertAt(at, '\\')] };
  };

/** A brace that its line leaves open, closed at the end of that line. */
function closeBrace({ shownLine }: Clue, source: SourceText): Proposal | null {
  if (shownLine === null) return null;
  const open: number[] = [];
  for (const token of source.annotated.tokens) {
    if (token.start < source.startOf(shownLine)) continue;
    if (token.start >= source.endOf(shownLine)) break;
    if (token.kind === 'open') open.push(token.start);
    else if (token.kind === 'close') open.pop();
  }
  if (open.length !== 1) return null;
  const text = source.lineText(shownLine).trimEnd();
  const dollar = text.indexOf('$', open[0]! - source.startOf(shownLine));
  const end = source.startOf(shownLine) + (dollar >= 0 ? dollar : text.replace(/[.,;:]$/, '').length);
  return { title: 'Add the missing }', edits: [insertAt(end, '}')] };
}

function fixMismatch(
  [, begun, beginLine, ended]: RegExpExecArray,
  clue: Clue,
  source: SourceText,
): Proposal | null {
  const { tokens } = source.annotated;
  if (clue.line === null) return null;
  const at = tokens.findLastIndex(
    (token) =>
      token.kind === 'end' && token.name === ended && source.positionOf(token.start).line <= clue.line!,
  );
  if (at < 0) return null;
  const end = tokens[at]!;
  if (begun === 'document') return { title: `Remove \\end{${ended}}`, edits: [cut(end.start, end.end)] };
  if (ended === 'document') return closeEnvironment(begun!, Number(beginLine) || null, end, source);
  const rename = (token: Token, name: string): TextEdit => ({
    from: source.text.indexOf('{', token.start) + 1,
    to: token.end - 1,
    insert: name,
  });
  const isOpen = tokens.some(
    (token) => token.kind === 'begin' && token.name === ended && token.start < end.start,
  );
  const later = tokens.find(
    (token) => token.kind === 'end' && token.name === begun && token.start > end.start,
  );
  if (isOpen && later && source.positionOf(later.start).line - clue.line <= 3)
    return {
      title: `End ${begun} before ${ended}`,
      edits: [rename(end, begun!), rename(later, ended!)],
    };
  if (isOpen) return { title: `Add \\end{${begun}}`, edits: [insertAt(end.start, `\\end{${begun}}\n`)] };
  return { title: `Write \\end{${begun}}`, edits: [rename(end, begun!)] };
}

/** Where an environment nobody closed should end: before the paragraph after it, lists after their last item. */
function closeEnvironment(
  name: string,
  beginLine: number | null,
  end: Token,
  source: SourceText,
): Proposal | null {
  let at = end.start;
  if (beginLine !== null) {
    for (let line = beginLine + 1; line < source.positionOf(end.start).line; line++) {
      if (source.lineText(line).trim() !== '') continue;
      let next = line;
      while (next < source.lineCount && source.lineText(next).trim() === '') next++;
      if (listNames.has(name) && /^\s*\\item\b/.test(source.lineText(next))) continue;
      at = source.startOf(line);
      break;
    }
  }
  return { title: `Add \\end{${name}}`, edits: [insertAt(at, `\\end{${name}}\n`)] };
}

/** The command on or near a line that names something, with all its arguments. */
function commandNaming(source: SourceText, name: string): { from: number; to: number } | null {
  const pattern = new RegExp(`\\\\[A-Za-z]+\\*?(?:\\[[^\\]]*\\])?\\{${literal(name)}\\}`, 'g');
  for (const found of source.text.matchAll(pattern)) {
    const lineStart = source.startOf(source.positionOf(found.index).line);
    if (!source.text.slice(lineStart, found.index).includes('%'))
      return { from: found.index, to: found.index + found[0].length };
  }
  return null;
}

function fixMissingFile(name: string, source: SourceText): Proposal | null {
  const [, stem, extension] = /^(.*?)(?:\.(sty|cls|tex))?$/.exec(name)!;
  if (extension === 'sty') {
    const meant = isKnownPackage(stem!) ? null : nearestPackage(stem!);
    const found = new RegExp(
      `\\\\usepackage(?:\\[[^\\]]*\\])?\\{[^}]*?\\b(${literal(stem!)})\\b[^}]*\\}`,
    ).exec(source.text);
    if (!found) return null;
    if (meant) {
      const from = found.index + found[0].lastIndexOf(stem!);
      return {
        title: `Change ${stem} to ${meant}`,
        edits: [{ from, to: from + stem!.length, insert: meant }],
      };
    }
    const names = /\{([^}]*)\}$/.exec(found[0])![1]!.split(',');
    if (names.length > 1) {
      const rest = names.filter((one) => one.trim() !== stem).join(',');
      const from = found.index + found[0].lastIndexOf('{') + 1;
      return {
        title: `Do without ${stem}`,
        edits: [{ from, to: found.index + found[0].length - 1, insert: rest }],
      };
    }
    return {
      title: `Remove \\usepackage{${stem}}`,
      edits: [cut(found.index, found.index + found[0].length)],
    };
  }
  const range =
    commandNaming(source, extension === 'tex' || extension === 'cls' ? stem! : name) ??
    commandNaming(source, name);
  if (!range) return null;
  if (extension === 'cls') {
    const from = range.to - 1 - stem!.length;
    return { title: 'Use the class article', edits: [{ from, to: range.to - 1, insert: 'article' }] };
  }
  return { title: `Remove ${source.text.slice(range.from, range.to)}`, edits: [cut(range.from, range.to)] };
}

function fixClash(name: string, source: SourceText): Proposal | null {
  const pattern = new RegExp(`[ \\t]*\\\\usepackage(?:\\[([^\\]]*)\\])?\\{${literal(name)}\\}`, 'g');
  const found = [...source.text.matchAll(pattern)];
  if (found.length < 2) return null;
  const options = [
    ...new Set(found.flatMap((one) => (one[1] ?? '').split(',')).map((one) => one.trim())),
  ].filter(Boolean);
  const [first, ...others] = found;
  return {
    title: `Load ${name} once, with all options`,
    edits: [
      {
        from: first!.index,
        to: first!.index + first![0].length,
        insert: `\\usepackage[${options.join(',')}]{${name}}`,
      },
      ...others.map((one) => cut(one.index, one.index + one[0].length)),
    ],
  };
}

function fixColumns(clue: Clue, source: SourceText): Proposal | null {
  const line = clue.shownLine ?? clue.line;
  if (line === null) return null;
  const { tokens, spots } = source.annotated;
  const limit = source.endOf(line);
  const at = tokens.findLastIndex(
    (token, index) =>
      token.start <= limit && token.kind === 'ampersand' && spots[index]!.environment !== null,
  );
  const environment = at < 0 ? null : spots[at]!.environment;
  if (environment && /^[pbvBV]?matrix$/.test(environment)) {
    const edit = toPreamble(source, '\\setcounter{MaxMatrixCols}{30}');
    return edit && { title: 'Allow 30 columns', edits: [edit] };
  }
  if (environment !== 'tabular' && environment !== 'array') return null;
  const begin = tokens.findLastIndex(
    (token, index) => index < at && token.kind === 'begin' && token.name === environment,
  );
  const optional = readOptional(tokens, begin + 1);
  const spec = readGroup(tokens, optional ? optional.close + 1 : begin + 1);
  if (!spec) return null;
  const has =
    source.text
      .slice(spec.start, spec.end)
      .replace(/[@!><]\{[^}]*\}|\{[^}]*\}/g, '')
      .match(/[lcrpmbX]/g)?.length ?? 0;
  let wants = 1;
  for (
    let index = at;
    index > begin && !(tokens[index]!.kind === 'command' && tokens[index]!.name === '\\');
    index--
  )
    if (tokens[index]!.kind === 'ampersand') wants++;
  const missing = wants - has;
  if (has === 0 || missing <= 0 || missing > 20) return null;
  const inner = source.text.slice(spec.start, spec.end);
  const end = spec.end - /\|*\s*$/.exec(inner)![0].length;
  return {
    title: missing === 1 ? 'Add a column' : `Add ${missing} columns`,
    edits: [insertAt(end, 'l'.repeat(missing))],
  };
}

/** `x^2^3` → `{x^2}^3`. */
function fixDoubleScript(clue: Clue, source: SourceText): Proposal | null {
  if (clue.line === null) return null;
  const text = source.lineText(clue.line);
  const script =
    /(\\[A-Za-z]+|[A-Za-z0-9)\]]|\{[^{}]*\})(([_^])(?:\{[^{}]*\}|\\[A-Za-z]+|[^\s\\{}]))(?=\3)/.exec(text);
  if (!script) return null;
  const from = source.startOf(clue.line) + script.index;
  const [whole] = script;
  return { title: `Write {${whole}}`, edits: [insertAt(from, '{'), insertAt(from + whole.length, '}')] };
}

function askForXelatex(source: SourceText): Proposal | null {
  const found = /^[ \t]*%+\s*!\s*TEX\s+(?:TS-)?program\s*=\s*([A-Za-z-]+)/im.exec(source.text);
  if (!found) return null;
  const to = found.index + found[0].length;
  return { title: 'Compile with xelatex', edits: [{ from: to - found[1]!.length, to, insert: 'xelatex' }] };
}

function renameOnLine(
  clue: Clue,
  source: SourceText,
  from: string,
  to: string,
  title: string,
): Proposal | null {
  const line = clue.shownLine ?? clue.line;
  if (line === null) return null;
  const at = source.lineText(line).indexOf(from);
  if (at < 0) return null;
  const start = source.startOf(line) + at;
  return { title, edits: [{ from: start, to: start + from.length, insert: to }] };
}

function fixVerb(clue: Clue, source: SourceText): Proposal | null {
  const near = clue.shownLine ?? clue.line;
  if (near === null) return null;
  for (let line = near; line >= Math.max(1, near - 2); line--) {
    const found = /\\verb\*?([^A-Za-z\s*])(.*?)\1/.exec(source.lineText(line));
    if (!found) continue;
    const from = source.startOf(line) + found.index;
    return {
      title: 'Write \\texttt',
      edits: [{ from, to: from + found[0].length, insert: `\\texttt{${escapeLatex(found[2]!)}}` }],
    };
  }
  return null;
}

function moveToPreamble(clue: Clue, source: SourceText): Proposal | null {
  const body = source.bodyStart;
  if (clue.line === null || body === null) return null;
  const text = source.lineText(clue.line);
  const found = /\\(?:usepackage|includeonly|documentclass)(?:\[[^\]]*\])?\{[^}]*\}/.exec(text);
  if (!found) return null;
  const from = source.startOf(clue.line) + found.index;
  return {
    title: 'Move it to the preamble',
    edits: [insertAt(body, `${found[0]}\n`), cut(from, from + found[0].length)],
  };
}

function fixBodyStart(clue: Clue, source: SourceText): Proposal | null {
  const body = source.bodyStart;
  if (clue.line === null) return null;
  const start = source.startOf(clue.line);
  if (body === null)
    return { title: 'Add \\begin{document}', edits: [insertAt(start, '\\begin{document}\n')] };
  if (start >= body || !/^[^\\%{}]+$/.test(source.lineText(clue.line))) return null;
  const end = source.text.indexOf('}', body) + 1;
  return {
    title: 'Move it after \\begin{document}',
    edits: [
      cut(start, Math.min(source.endOf(clue.line) + 1, body)),
      insertAt(end, `\n${source.lineText(clue.line)}`),
    ],
  };
}

function fixItem(clue: Clue, source: SourceText): Proposal | null {
  const { tokens } = source.annotated;
  if (clue.line === null) return null;
  const limit = source.endOf(clue.line);
  const at = tokens.findLastIndex(
    (token) => token.kind === 'begin' && listNames.has(token.name) && token.start <= limit,
  );
  if (at < 0) return null;
  const optional = readOptional(tokens, at + 1);
  let next = optional ? optional.close + 1 : at + 1;
  while (tokens[next] && /^(?:space|break|comment)$/.test(tokens[next]!.kind)) next++;
  const token = tokens[next];
  if (!token) return null;
  if (token.kind === 'end' && token.name === tokens[at]!.name)
    return { title: `Remove the empty ${token.name}`, edits: [cut(tokens[at]!.start, token.end)] };
  return token.kind === 'command' && token.name === 'item'
    ? null
    : { title: 'Add \\item', edits: [insertAt(token.start, '\\item ')] };
}

function fixSemicolon(clue: Clue, source: SourceText): Proposal | null {
  if (clue.line === null) return null;
  for (let line = clue.line; line >= Math.max(1, clue.line - 10); line--) {
    const text = source.lineText(line).trimEnd();
    if (/\\begin\{tikzpicture\}/.test(text)) return null;
    if (!/^\s*\\(?:draw|fill|filldraw|node|path|coordinate|shade|clip)\b/.test(text) || text.endsWith(';'))
      continue;
    if (!/^\s*(?:\\|$)/.test(source.lineText(line + 1))) continue;
    return { title: 'Add the missing ;', edits: [insertAt(source.startOf(line) + text.length, ';')] };
  }
  return null;
}

/** `\left`/`\right` without its partner: an invisible one at the formula's other end. */
function fixDelimiter(clue: Clue, source: SourceText): Proposal | null {
  if (clue.line === null) return null;
  const text = source.lineText(clue.line);
  const start = source.startOf(clue.line);
  const formula = [...text.matchAll(/\$([^$]+)\$|\\\[(.+?)\\\]|\\\((.+?)\\\)/g)].find(
    ([inside]) =>
      inside.split('\\left').length - inside.split('\\leftarrow').length !==
      inside.split('\\right').length - inside.split('\\rightarrow').length,
  );
  if (!formula) return null;
  const open = formula[0].startsWith('$') ? 1 : 2;
  const count = (name: string) => formula[0].match(new RegExp(`\\\\${name}(?![A-Za-z])`, 'g'))?.length ?? 0;
  const lefts = count('left');
  const rights = count('right');
  if (Math.abs(lefts - rights) !== 1) return null;
  return lefts > rights
    ? {
        title: 'Add \\right.',
        edits: [insertAt(start + formula.index + formula[0].length - open, ' \\right.')],
      }
    : { title: 'Add \\left.', edits: [insertAt(start + formula.index + open, '\\left. ')] };
}

function fixBareDelimiter(clue: Clue, source: SourceText): Proposal | null {
  if (clue.line === null) return null;
  const text = source.lineText(clue.line);
  const start = source.startOf(clue.line);
  const edits = [...text.matchAll(/\\(?:left|right)(?=([{}])|\s*[A-Za-z0-9])(?![A-Za-z])/g)].map((found) =>
    insertAt(start + found.index + found[0].length, found[1] ? '\\' : '.'),
  );
  return edits.length > 0 ? { title: 'Write the bracket TeX needs', edits } : null;
}

const pictureKeys = ['width', 'height', 'scale', 'angle', 'trim', 'clip', 'page', 'keepaspectratio'];

const libraries: Record<string, string> = {
  diamond: 'shapes.geometric',
  ellipse: 'shapes.geometric',
  trapezium: 'shapes.geometric',
  cylinder: 'shapes.geometric',
  star: 'shapes.geometric',
  cloud: 'shapes.symbols',
  'below of': 'positioning',
  fit: 'fit',
  matrix: 'matrix',
};

function fixTikzKey(key: string, source: SourceText): Proposal | null {
  if (key === 'colour') {
    const at = source.text.search(/\bcolour\s*=/);
    return at < 0
      ? null
      : { title: 'Change colour to color', edits: [{ from: at, to: at + 6, insert: 'color' }] };
  }
  const library = libraries[key];
  const edit = library && toPreamble(source, `\\usetikzlibrary{${library}}`);
  return edit ? { title: `Add \\usetikzlibrary{${library}}`, edits: [edit] } : null;
}

function fixLabel(name: string, clue: Clue, source: SourceText): Proposal | null {
  const labels = [...source.text.matchAll(/\\label\{([^}]*)\}/g)].map(([, label]) => label!);
  const sorted = (text: string) => [...text].sort().join('');
  const meant = labels.find((label) => label !== name && sorted(label) === sorted(name));
  return meant ? renameOnLine(clue, source, `{${name}}`, `{${meant}}`, `Change ${name} to ${meant}`) : null;
}

export const fixRules: readonly FixRule[] = [
  { pattern: /^Undefined control sequence/, propose: (_, clue, source) => fixUndefined(clue, source) },
  {
    pattern: /Environment (\S+) undefined/,
    propose: (match, _, source) => fixEnvironment(match[1]!, source),
  },
  {
    pattern: /allowed only in math mode|^Missing \$ inserted/,
    propose: (_, clue, source) => fixMissingDollar(clue, source),
  },
  {
    pattern: /allowed only in math mode/,
    propose: (match, clue, source) => {
      const name = lastCommand(match.input.replace(/^LaTeX Error: | allowed only.*$/g, ''));
      const line = clue.line;
      if (!name || line === null) return null;
      const { tokens, spots } = source.annotated;
      const at = tokens.findIndex(
        (token, index) =>
          token.name === name &&
          spots[index]!.mode === 'text' &&
          source.positionOf(token.start).line === line,
      );
      if (at < 0) return null;
      const { from, to } = commandRange(tokens, at);
      return wrapInMaths(source, from, to);
    },
  },
  { pattern: /^(?:Too many }'s|Extra }, or forgotten (?!\\right))/, propose: removeCulprit('}') },
  {
    pattern: /\\verb illegal|\\verb ended|^Missing } inserted|scanning use of \\@xverb/,
    propose: (_, clue, source) => fixVerb(clue, source),
  },
  {
    pattern:
      /^(?:Missing \\right|Extra \\right|Missing } inserted|Extra }, or forgotten \\right|LaTeX Error: Bad math)/,
    propose: (_, clue, source) => fixDelimiter(clue, source),
  },
  {
    pattern: /^(?:Missing } inserted|File ended while scanning|Paragraph ended before|Runaway)/,
    propose: (_, clue, source) => removeBlankLine(clue, source) ?? closeBrace(clue, source),
  },
  {
    pattern: /^LaTeX Error: \\begin\{(\S+?)\}(?: on input line (\d+))? ended by \\end\{(\S+?)\}/,
    propose: fixMismatch,
  },
  {
    pattern: /^LaTeX Error: (?:File|Unable to load picture or PDF file) [`'](.+?)' not found/,
    propose: (match, _, source) => fixMissingFile(match[1]!, source),
  },
  {
    pattern: /^Misplaced alignment tab/,
    propose: (match, clue, source) => {
      const after = source.offsetAfter(clue.line, clue.before);
      const { tokens, spots } = source.annotated;
      const spot = after === null ? null : spots[tokenAt(tokens, after - 1)];
      return spot?.mode === 'math' ? null : escapeCulprit('&')(match, clue, source);
    },
  },
  { pattern: /macro parameter character #/, propose: escapeCulprit('#') },
  { pattern: /^Extra alignment tab/, propose: (_, clue, source) => fixColumns(clue, source) },
  { pattern: /^Double (?:super|sub)script/, propose: (_, clue, source) => fixDoubleScript(clue, source) },
  { pattern: /perhaps a missing \\item/, propose: (_, clue, source) => fixItem(clue, source) },
  {
    pattern: /Option clash for package (\S+?)\.?$/,
    propose: (match, _, source) => fixClash(match[1]!, source),
  },
  { pattern: /Missing \\begin\{document\}/, propose: (_, clue, source) => fixBodyStart(clue, source) },
  {
    pattern: /no legal \\end found/,
    propose: (_, __, source) => ({
      title: 'Add \\end{document}',
      edits: [insertAt(source.text.length, `${source.text.endsWith('\n') ? '' : '\n'}\\end{document}\n`)],
    }),
  },
  {
    pattern: /There's no line here to end/,
    propose: (_, clue, source) => {
      const line = clue.line;
      if (line === null) return null;
      for (const place of [line, line - 1, line - 2]) {
        const found = place > 0 ? /\\\\(?:\[[^\]]*\])?|\\newline\b/.exec(source.lineText(place)) : null;
        if (found)
          return {
            title: `Remove ${found[0]}`,
            edits: [
              cut(source.startOf(place) + found.index, source.startOf(place) + found.index + found[0].length),
            ],
          };
      }
      return null;
    },
  },
  {
    pattern: /^Display math should end with \$\$/,
    propose: (_, clue, source) => {
      const after = source.offsetAfter(clue.line, clue.before);
      if (after === null) return null;
      const at = source.text.lastIndexOf('$', after);
      return at < source.startOf(clue.line!) ? null : { title: 'End it with $$', edits: [insertAt(at, '$')] };
    },
  },
  { pattern: /^Missing delimiter/, propose: (_, clue, source) => fixBareDelimiter(clue, source) },
  {
    pattern: /^Limit controls must follow/,
    propose: (_, clue, source) => renameOnLine(clue, source, '\\limits', '', 'Remove \\limits'),
  },
  {
    pattern: /^Illegal unit of measure/,
    propose: (_, clue, source) => {
      const line = clue.line;
      const found = line === null ? null : /\{(-?\d*\.?\d+)(?:xm|)\}/.exec(source.lineText(line));
      if (!found || line === null) return null;
      const from = source.startOf(line) + found.index + 1;
      const isBare = found[0] === `{${found[1]}}`;
      return {
        title: isBare ? `Write ${found[1]}pt` : `Write ${found[1]}cm`,
        edits: [{ from, to: from + found[0].length - 2, insert: `${found[1]}${isBare ? 'pt' : 'cm'}` }],
      };
    },
  },
  {
    pattern: /Unicode character (\S+)/,
    propose: (match, clue, source) => {
      const character = [...match[1]!][0]!;
      const command = mathCharacters.get(character);
      const line = clue.line;
      const at = line === null || !command ? -1 : source.lineText(line).indexOf(character);
      if (at < 0 || line === null) return askForXelatex(source);
      const from = source.startOf(line) + at;
      return {
        title: `Write ${command}`,
        edits: [{ from, to: from + character.length, insert: `\\ensuremath{${command}}` }],
      };
    },
  },
  {
    pattern:
      /requires either XeTeX or LuaTeX|cannot-use-pdftex|Cannot be run with pdf|requires? (?:the )?(?:XeTeX|LuaTeX)|The \S+ package requires either/i,
    propose: (_, __, source) => askForXelatex(source),
  },
  {
    pattern: /Command (\\\S+) already defined/,
    propose: (match, clue, source) =>
      match[1]!.startsWith('\\end')
        ? null
        : (renameOnLine(
            clue,
            source,
            `\\newcommand{${match[1]}}`,
            `\\renewcommand{${match[1]}}`,
            'Use \\renewcommand',
          ) ??
          renameOnLine(
            clue,
            source,
            `\\newenvironment{${match[1]!.slice(1)}}`,
            `\\renewenvironment{${match[1]!.slice(1)}}`,
            'Use \\renewenvironment',
          )),
  },
  {
    pattern: /Command (\\\S+?) undefined/,
    propose: (match, clue, source) =>
      renameOnLine(
        clue,
        source,
        `\\renewcommand{${match[1]}}`,
        `\\newcommand{${match[1]}}`,
        'Use \\newcommand',
      ),
  },
  { pattern: /Did you forget a semicolon/, propose: (_, clue, source) => fixSemicolon(clue, source) },
  {
    pattern: /I do not know the key '(?:\/\w+\/)*(.+?)'/,
    propose: (match, _, source) => fixTikzKey(match[1]!, source),
  },
  { pattern: /Unknown shape "?(\w+)/, propose: (match, _, source) => fixTikzKey(match[1]!, source) },
  {
    pattern: /The font "(.+?)" cannot be found/,
    propose: (match, _, source) => {
      const at = source.text.indexOf(`{${match[1]}}`);
      return at < 0
        ? null
        : {
            title: 'Use TeX Gyre Termes',
            edits: [{ from: at + 1, to: at + 1 + match[1]!.length, insert: 'TeX Gyre Termes' }],
          };
    },
  },
  {
    pattern: /Unknown option [`'](.+?)'/,
    propose: (match, _, source) => {
      const found = new RegExp(
        `\\\\(?:usepackage|documentclass)\\[([^\\]]*\\b${literal(match[1]!)}\\b[^\\]]*)\\]`,
      ).exec(source.text);
      if (!found) return null;
      const rest = found[1]!
        .split(',')
        .filter((one) => one.trim().split('=')[0] !== match[1])
        .join(',');
      const from = found.index + found[0].indexOf('[');
      return {
        title: `Do without ${match[1]}`,
        edits: [{ from, to: found.index + found[0].length, insert: rest === '' ? '' : `[${rest}]` }],
      };
    },
  },
  {
    pattern: /^Misplaced \\noalign/,
    propose: (_, clue, source) => {
      const line = clue.line;
      const at =
        line === null ? -1 : source.lineText(line).search(/\\(?:hline|toprule|midrule|bottomrule|cline)\b/);
      if (line === null || at < 0) return null;
      return { title: 'End the row before it', edits: [insertAt(source.startOf(line) + at, '\\\\ ')] };
    },
  },
  { pattern: /Can be used only in preamble/, propose: (_, clue, source) => moveToPreamble(clue, source) },
  {
    pattern: /picture or PDF file '(.+?)'|Package \S+ Error: File `(.+?)' not found/,
    propose: (match, _, source) => fixMissingFile((match[1] ?? match[2])!, source),
  },
  {
    pattern: /Package keyval Error: (\S+) undefined/,
    propose: (match, clue, source) => {
      const letters = (text: string) => [...text].sort().join('');
      const meant = pictureKeys.find((key) => letters(key) === letters(match[1]!));
      return meant ? renameOnLine(clue, source, match[1]!, meant, `Change ${match[1]} to ${meant}`) : null;
    },
  },
  {
    pattern: /Bad math environment delimiter/,
    propose: (_, clue, source) => {
      const after = source.offsetAfter(clue.line, clue.before);
      const mark = after === null ? '' : source.text.slice(after - 2, after);
      return after !== null && (mark === '\\[' || mark === '\\]')
        ? { title: `Remove this ${mark}`, edits: [cut(after - 2, after)] }
        : null;
    },
  },
  {
    pattern: /Multiple \\tag/,
    propose: (_, { line }, source) => {
      for (const place of line === null ? [] : [line, line - 1]) {
        const found = [...source.lineText(place).matchAll(/\s*\\tag\*?\{[^}]*\}/g)];
        if (found.length < 2) continue;
        const from = source.startOf(place) + found[1]!.index;
        return { title: 'Remove the second \\tag', edits: [cut(from, from + found[1]![0].length)] };
      }
      return null;
    },
  },
  {
    pattern: /scanning use of \\@xverbatim/,
    propose: (_, __, source) => {
      const at = source.text.lastIndexOf('\\begin{verbatim}');
      if (at < 0) return null;
      for (let next = source.positionOf(at).line + 1; next <= source.lineCount; next++)
        if (/^\s*(?:\\end\{document\})?\s*$/.test(source.lineText(next)))
          return {
            title: 'Add \\end{verbatim}',
            edits: [insertAt(source.startOf(next), '\\end{verbatim}\n')],
          };
      return null;
    },
  },
  {
    pattern: /caption outside float/,
    propose: (_, clue, source) => {
      const edit = toPreamble(source, '\\usepackage{caption}');
      const moved = renameOnLine(clue, source, '\\caption{', '\\captionof{figure}{', 'Use \\captionof');
      return moved && edit ? { title: moved.title, edits: [...moved.edits, edit] } : null;
    },
  },
  {
    pattern: /No \\title given/,
    propose: (_, __, source) => {
      const edit = toPreamble(source, '\\title{Title}');
      return edit && { title: 'Add \\title', edits: [edit] };
    },
  },
  {
    pattern: /Lonely \\item/,
    propose: (_, { line }, source) => {
      const at = line === null ? -1 : source.lineText(line).indexOf('\\item');
      if (line === null || at < 0) return null;
      let last = line;
      const goesOn = (text: string) => /\S/.test(text) && !/\\(?:end|begin|(?:sub)*section)\b/.test(text);
      while (last < source.lineCount && goesOn(source.lineText(last + 1))) last++;
      return {
        title: 'Make it a list',
        edits: [
          insertAt(source.startOf(line) + at, '\\begin{itemize}\n'),
          insertAt(source.endOf(last), '\n\\end{itemize}'),
        ],
      };
    },
  },
  {
    pattern: /Unknown function `of'/,
    propose: (_, __, source) => fixTikzKey('below of', source),
  },
  {
    pattern: /^Reference `(.+?)' on page/,
    propose: (match, clue, source) => fixLabel(match[1]!, clue, source),
  },
];
