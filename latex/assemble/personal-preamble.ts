/**
 * The personal preamble, which a user has in all documents: preamble lines and a list of notation. Stored as written,
 * passed to the reader and the assembler like a page's preamble (`mergePreamble`), and added to documents that lack it.
 */

import { definedCommands, definedEnvironments, findBody, listPackages } from '../source/read-commands.ts';
import { scanLatex } from '../source/scan.ts';
import type { PackageUse } from './page-body.ts';
import { definedName, detectPackages, isPreambleLine, mergeOptions } from './preamble.ts';

/** One notation of a user's own. */
export interface Notation {
  /** With its backslash, letters only: `\R`. */
  command: string;
  /** Its definition, with arguments `#1` to `#9`: `\mathbb{R}`. */
  latex: string;
  /** In words, for the reader and the user: `the real numbers`. May be empty. */
  meaning: string;
}

export interface PersonalPreamble {
  /** Lines of LaTeX: `\usepackage…`, definitions and settings; comments and blank lines are kept without effect. */
  preamble: string;
  notation: readonly Notation[];
}

/** A line of `preamble`, or a notation by its position in the list; both 1-based. */
export interface PreamblePlace {
  in: 'preamble' | 'notation';
  place: number;
}

/** A line or notation that is refused. */
export interface PreambleRefusal extends PreamblePlace {
  message: string;
}

/** A personal preamble in the form of a page's, as the assembler takes it. */
export interface PreamblePart {
  packages: PackageUse[];
  lines: string[];
}

/** A parsed preamble with the origin of each line; a package that only definitions need has none. */
interface ReadPreamble extends PreamblePart {
  refused: PreambleRefusal[];
  places: { packages: (PreamblePlace | null)[]; lines: PreamblePlace[] };
}

const packageLine = /^\\usepackage\s*(?:\[((?:[^[\]{}]|\{[^{}]*\})*)\])?\s*\{([A-Za-z0-9,\s-]+)\}$/;

/** Accepts every valid line; `refused` gives the reason for each other one. */
export function readPersonalPreamble(personal: PersonalPreamble): ReadPreamble {
  const places: ReadPreamble['places'] = { packages: [], lines: [] };
  const packages: PackageUse[] = [];
  const lines: string[] = [];
  const refused: PreambleRefusal[] = [];
  for (const { text, line } of joinOpenLines(personal.preamble)) {
    const found = packageLine.exec(text);
    if (found) {
      for (const name of found[2]!
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean)) {
        packages.push({ name, ...(found[1] ? { options: found[1] } : {}) });
        places.packages.push({ in: 'preamble', place: line });
      }
    } else if (isPreambleLine(text)) {
      lines.push(text);
      places.lines.push({ in: 'preamble', place: line });
    } else
      refused.push({
        in: 'preamble',
        place: line,
        message: 'Only \\usepackage, definitions and settings, each with its braces closed, can stand here.',
      });
  }
  personal.notation.forEach((notation, index) => {
    const line = notationLine(notation);
    if (isUsable(notation) && isPreambleLine(line)) {
      lines.push(line);
      places.lines.push({ in: 'notation', place: index + 1 });
    } else
      refused.push({
        in: 'notation',
        place: index + 1,
        message: 'A command is a backslash and letters; what it stands for has its braces closed.',
      });
  });
  const known = new Set(packages.map(({ name }) => name));
  for (const name of detectPackages(lines.join('\n'))) {
    if (known.has(name)) continue;
    packages.push({ name });
    places.packages.push(null);
  }
  return { packages, lines, refused, places };
}

function isUsable({ command, latex }: Notation): boolean {
  return /^\\[A-Za-z]{1,39}$/.test(command) && latex.trim() !== '' && !/\n\s*\n/.test(latex);
}

function notationLine({ command, latex }: Notation): string {
  const count = Math.max(0, ...[...latex.matchAll(/#([1-9])/g)].map(([, digit]) => Number(digit)));
  return `\\newcommand{${command}}${count > 0 ? `[${count}]` : ''}{${latex.trim().replace(/\s*\n\s*/g, ' ')}}`;
}

/** Joins definitions over several lines: a line with an open brace continues on the next. Drops comments. */
function joinOpenLines(preamble: string): { text: string; line: number }[] {
  const joined: { text: string; line: number }[] = [];
  let open = '';
  let from = 0;
  preamble.split('\n').forEach((raw, index) => {
    const bare = raw.replace(/(^|[^\\])%.*$/, '$1').trim();
    if (open === '') from = index + 1;
    const text = open === '' ? bare : `${open} ${bare}`;
    const depth = scanLatex(text).reduce(
      (sum, { kind }) => sum + (kind === 'open' ? 1 : kind === 'close' ? -1 : 0),
      0,
    );
    if (depth > 0) open = text;
    else {
      open = '';
      if (text !== '') joined.push({ text, line: from });
    }
  });
  if (open !== '') joined.push({ text: open, line: from });
  return joined;
}

/** Describes the notation for the reader, one entry a line: `\R = \mathbb{R}: the real numbers`. */
export function describeNotation(notation: readonly Notation[]): string {
  return notation
    .filter(isUsable)
    .map(
      ({ command, latex, meaning }) =>
        `${command} = ${latex.trim()}${meaning.trim() ? `: ${meaning.trim()}` : ''}`,
    )
    .join('\n');
}

/**
 * Adds a personal preamble to a document before `\begin{document}`: packages it does not load, names it does not
 * define, settings it lacks. The document's own lines always win; a second call changes nothing. A text without
 * `\begin{document}` is returned unchanged.
 */
export function addPersonalPreamble(latex: string, personal: PersonalPreamble): string {
  const { begin } = findBody(scanLatex(latex));
  if (!begin) return latex;
  const head = latex.slice(0, begin.start);
  const { packages, lines } = readPersonalPreamble(personal);
  const loaded = new Set(listPackages(head).flatMap(({ names }) => names));
  const options = new Map<string, string[]>();
  for (const { name, options: given } of packages)
    options.set(name, [...(options.get(name) ?? []), given ?? '']);
  const packageLines = [...options]
    .filter(([name]) => !loaded.has(name))
    .map(([name, lists]) => {
      const merged = mergeOptions(lists);
      return `\\usepackage${merged ? `[${merged}]` : ''}{${name}}`;
    });
  const commands = definedCommands(head);
  const present = new Set(head.split('\n').map((line) => line.trim()));
  const environments = new Set([...definedEnvironments(head)].map((name) => `environment ${name}`));
  const added: string[] = [];
  for (const line of lines) {
    const name = definedName(line);
    const isRedefinition = line.startsWith('\\renewcommand');
    const isKnown = name
      ? environments.has(name) || (!isRedefinition && commands.has(name.replace(/^\\/, '')))
      : false;
    if (isKnown || present.has(line)) continue;
    present.add(line);
    if (name && !isRedefinition) commands.add(name.replace(/^\\/, ''));
    if (name?.startsWith('environment ')) environments.add(name);
    added.push(line);
  }
  const all = [...packageLines, ...added];
  if (all.length === 0) return latex;
  const gap = head === '' || head.endsWith('\n') ? '' : '\n';
  return `${head}${gap}${all.join('\n')}\n${latex.slice(begin.start)}`;
}
