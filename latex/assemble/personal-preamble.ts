/**
 * What a person uses in all of their documents: preamble lines and a list of notation. Kept as they wrote it, given to
 * the reader and the assembler as a page's preamble is (`mergePreamble`), and set into documents that lack it.
 */

import { scanLatex } from '../source/scan.ts';
import type { PackageUse } from './page-body.ts';
import { definedCommands, definedName, detectPackages, isPreambleLine, mergeOptions } from './preamble.ts';

/** One sign of a person's own. */
export interface Notation {
  /** With its backslash, letters only: `\R`. */
  command: string;
  /** What it stands for, arguments as `#1` to `#9`: `\mathbb{R}`. */
  latex: string;
  /** In words, for the reader and for the person: `the real numbers`. May be empty. */
  meaning: string;
}

export interface PersonalPreamble {
  /** Lines of LaTeX: `\usepackage…`, definitions and settings; comments and blank lines are kept and do nothing. */
  preamble: string;
  notation: readonly Notation[];
}

/** A line, 1-based in `preamble`, or a sign by its place in the list, 1-based. */
export interface PreamblePlace {
  in: 'preamble' | 'notation';
  place: number;
}

/** A line or a sign that is not taken. */
export interface PreambleRefusal extends PreamblePlace {
  message: string;
}

/** A personal preamble as a page's: what the assembler takes. */
export interface PreamblePart {
  packages: PackageUse[];
  lines: string[];
}

/** As it was read, with where each line came from; a package that only definitions need came from nowhere. */
interface ReadPreamble extends PreamblePart {
  refused: PreambleRefusal[];
  places: { packages: (PreamblePlace | null)[]; lines: PreamblePlace[] };
}

const packageLine = /^\\usepackage\s*(?:\[((?:[^[\]{}]|\{[^{}]*\})*)\])?\s*\{([A-Za-z0-9,\s-]+)\}$/;

/** Takes what can be taken; `refused` says of each other line why not. */
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

/** Definitions may run over several lines: a line that leaves a brace open goes on with the next. Comments are dropped. */
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

/** The notation in words, one sign a line, for the reader: `\R = \mathbb{R}: the real numbers`. */
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
 * Sets a personal preamble into a document before its `\begin{document}`: packages it does not load, definitions of
 * names it does not define, settings it does not have. What the document says itself always wins; done twice it changes
 * nothing more. A text without `\begin{document}` comes back as it is.
 */
export function addPersonalPreamble(latex: string, personal: PersonalPreamble): string {
  const begin = scanLatex(latex).find((token) => token.kind === 'begin' && token.name === 'document');
  if (!begin) return latex;
  const head = latex.slice(0, begin.start);
  const { packages, lines } = readPersonalPreamble(personal);
  const loaded = new Set(
    [...head.matchAll(/^[^%\n]*\\usepackage\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}/gm)].flatMap(([, names]) =>
      names!.split(',').map((name) => name.trim()),
    ),
  );
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
  const environments = new Set(
    [...head.matchAll(/\\(?:newtheorem\*?|newenvironment)\s*\{([^{}]+)\}/g)].map(
      ([, name]) => `environment ${name}`,
    ),
  );
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
