/** Fixes for braces, environments, tables and lists. */
import { listEnvironments } from '../../source/commands.ts';
import { escapeLatex } from '../../source/escape.ts';
import { readGroup, readOptional, type Token } from '../../source/scan.ts';
import type { SourceText } from '../../source/source-text.ts';
import { cut, insertAt, toPreamble } from './edits.ts';
import type { Clue, Proposal, TextEdit } from './proposal.ts';

/** A brace that its line leaves open, closed at the end of that line. */
export function closeBrace({ shownLine }: Clue, source: SourceText): Proposal | null {
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

export function fixMismatch(
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
      if (listEnvironments.has(name) && /^\s*\\item\b/.test(source.lineText(next))) continue;
      at = source.startOf(line);
      break;
    }
  }
  return { title: `Add \\end{${name}}`, edits: [insertAt(at, `\\end{${name}}\n`)] };
}

export function fixColumns(clue: Clue, source: SourceText): Proposal | null {
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

export function fixVerb(clue: Clue, source: SourceText): Proposal | null {
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

export function fixItem(clue: Clue, source: SourceText): Proposal | null {
  const { tokens } = source.annotated;
  if (clue.line === null) return null;
  const limit = source.endOf(clue.line);
  const at = tokens.findLastIndex(
    (token) => token.kind === 'begin' && listEnvironments.has(token.name) && token.start <= limit,
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
