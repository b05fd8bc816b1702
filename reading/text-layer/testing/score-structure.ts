/** Headings, numbers of theorems, and formulas in the running text: those of a source found in what was recovered. */
import type { PageModel } from '../model.ts';
import { bodyOf, displayEnvironments, stripComments } from './displays.ts';
import { expandMacros, readGroup, takeDefinitions } from './macros.ts';
import { proseOf, wordsOf } from './prose.ts';
import { difference } from './same-formula.ts';

export interface Found {
  all: number;
  found: number;
  lost: string[];
}

interface Heading {
  depth: number;
  isStarred: boolean;
  words: string;
}

const depths = ['part', 'chapter', 'section', 'subsection', 'subsubsection'];

/** Headings of a source in order; formulas in them do not count as words. */
export function findHeadings(source: string): Heading[] {
  const definitions = takeDefinitions(stripComments(source));
  const body = expandMacros(bodyOf(definitions.rest), definitions);
  const headings: Heading[] = [];
  for (const match of body.matchAll(/\\(part|chapter|(?:sub){0,2}section)(\*?)(?![A-Za-z])/g)) {
    let at = match.index + match[0].length;
    at = readGroup(body, at, '[', ']')?.end ?? at;
    const title = readGroup(body, at);
    if (!title) continue;
    const words = proseOf(`\\begin{document}${title.inner}\\end{document}`);
    if (words !== '')
      headings.push({ depth: depths.indexOf(match[1] as string), isStarred: match[2] === '*', words });
  }
  return headings;
}

/** The words of a PDF's pages: a block at a time, and with each row of the page as one line. */
export interface Printed {
  blocks: string;
  rows: string;
}

/** A heading counts if ours has its words, as deep below the document's first level, with the number that is printed. */
export function scoreHeadings(
  truth: string,
  ours: string,
  printed: { truth: Printed; ours: Printed },
): Found {
  const wanted = findHeadings(truth);
  const left = findHeadings(ours);
  const top = (list: readonly Heading[]) => Math.min(...list.map((h) => h.depth));
  const [from, to] = [top(wanted), top(left)];
  const lost: string[] = [];
  for (const heading of wanted) {
    const at = left.findIndex(
      (other) =>
        other.words === heading.words &&
        other.depth - to === heading.depth - from &&
        // a number inside the words of one without a counter is not the printed one
        (heading.isStarred ? other.isStarred : haveSameNumber(printed, heading.words)),
    );
    if (at >= 0) left.splice(at, 1);
    else lost.push(`${depths[heading.depth]} ${heading.words}`);
  }
  return { all: wanted.length, found: wanted.length - lost.length, lost };
}

/** The numbers that stand on the pages before a heading's words, without their last point. */
function numbersBefore({ blocks, rows }: Printed, words: string): string[] {
  return [...numberedLines(blocks), ...numberedLines(rows)].flatMap(({ number, following }) =>
    following.startsWith(words) ? [number] : [],
  );
}

/** Each number at the beginning of a line, with the words after it. */
function numberedLines(text: string): { number: string; following: string }[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    const own =
      /^\s*(?:(?:§|Part|C(?:hapter|HAPTER|hapitre|ap\S{1,2}tulo|apitolo)|Kapitel|Hoofdstuk|Rozdział|Глава)\s*)?((?:\d+|[A-Z])(?:\.\d+)*)\.?\s*(.*)$/.exec(
        line,
      );
    if (!own) return [];
    // a long heading fills two lines, and a chapter's number has a line of its own
    const following = [own[2], lines[i + 1], lines[i + 2]].join(' ');
    // capitals in two sizes come apart: T HE WORD
    const joined = following.replace(/(?<!\p{L})(\p{Lu}) (?=\p{Lu}{2})/gu, '$1');
    return [{ number: own[1] as string, following: wordsOf(joined) }];
  });
}

function haveSameNumber(printed: { truth: Printed; ours: Printed }, words: string): boolean {
  const [wanted, given] = [numbersBefore(printed.truth, words), numbersBefore(printed.ours, words)];
  return wanted.length === 0 ? given.length === 0 : wanted.some((number) => given.includes(number));
}

const heads =
  /^\s*(theorem|lemma|proposition|corollary|definition|example|remark|exercise|satz|aufgabe|beispiel)\s+(\d+(?:\.\d+)*)(?=[\s.:(])/gim;

/** Heads of theorems at the beginning of a line, each with its number. */
export function scoreNumbers(printed: { truth: Printed; ours: Printed }): Found {
  const headsOf = ({ blocks }: Printed) =>
    [...blocks.matchAll(heads)].map((m) => `${m[1]?.toLowerCase()} ${m[2]}`);
  const left = headsOf(printed.ours);
  const wanted = headsOf(printed.truth);
  const lost = wanted.filter((head) => {
    const at = left.indexOf(head);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return { all: wanted.length, found: wanted.length - lost.length, lost };
}

/** Formulas of the running text, in dollars or \(…\), in order. */
export function findInline(source: string): string[] {
  const definitions = takeDefinitions(stripComments(source));
  const displays = [...displayEnvironments, 'comment', 'verbatim', 'lstlisting', 'tikzpicture'].join('|');
  const body = expandMacros(bodyOf(definitions.rest), definitions, (made) => /\\(?:text|mbox)\b/.test(made))
    .replace(new RegExp(`\\\\begin\\{(${displays})(\\*?)\\}[\\s\\S]*?\\\\end\\{\\1\\2\\}`, 'g'), ' ')
    .replace(/(\\\[[\s\S]*?\\\]|\$\$[\s\S]*?\$\$)|\\[\s\S]/g, (all, display) => (display ? ' ' : all));
  // a sign behind a backslash is passed over: in \\$x$ the second one belongs to the first
  return [...body.matchAll(/\\\(([\s\S]*?)\\\)|\\[\s\S]|\$((?:\\[\s\S]|[^$\\])+)\$/g)]
    .flatMap((m) => partsOf(m[1] ?? m[2] ?? ''))
    .map(withoutPair)
    .filter((formula) => !isOfText(formula) && !formula.includes('\\label'));
}

/** A formula without the words in it, each part without the space and the mark of punctuation at its ends: 'x, if $y$' is the same on the page. */
function partsOf(formula: string): string[] {
  const parts: string[] = [];
  let [from, depth] = [0, 0];
  for (const match of formula.matchAll(
    /\\(?:text|mbox)\s*(?=\{)|\\(?:left|right)\b|\\(?:begin|end)\b|\\[\s\S]|[{}]/g,
  )) {
    if (match.index < from) continue;
    if (/^(?:\{|\\left|\\begin)/.test(match[0])) depth += 1;
    else if (/^(?:\}|\\right|\\end)/.test(match[0])) depth -= 1;
    const group =
      depth === 0 && /^\\(?:text|mbox)/.test(match[0])
        ? readGroup(formula, match.index + match[0].length)
        : null;
    if (!group || !/\p{L}{2}/u.test(group.inner)) continue;
    parts.push(formula.slice(from, match.index));
    from = group.end;
  }
  const space = '(?:\\s|~|\\{\\}|\\\\[,;:! ]|\\\\q?quad(?![A-Za-z]))+';
  return [...parts, formula.slice(from)].map((part) =>
    part.replace(new RegExp(`^${space}|(?:${space}|(?<!\\\\)[.,;:?])+$`, 'g'), '').replace(/\s+/g, ' '),
  );
}

/** (x) is the same on the page whether its brackets are the sentence's or the formula's. */
function withoutPair(formula: string): string {
  const inner = readGroup(formula, 0, '(', ')');
  return inner?.end === formula.length ? withoutPair(inner.inner.trim()) : formula;
}

/** A number, and a mark of a list: nothing on the page tells them from text. */
function isOfText(formula: string): boolean {
  return /^(?:\d+(?:[.,]\d+)*|\\bullet|)$/.test(formula);
}

/** Compares as same-formula.ts does; `typeset` sets each formula on a page of its own. */
export async function scoreInline(
  truth: string,
  ours: string,
  typeset: (formulas: readonly string[], isOurs: boolean) => Promise<(PageModel | null)[]>,
): Promise<Found> {
  const [wanted, given] = [countEach(findInline(truth)), countEach(findInline(ours))];
  const set = async (formulas: Map<string, number>, isOurs: boolean) => {
    const list = [...formulas.keys()];
    const models = await typeset(
      list.map((formula) => `$${formula}$`),
      isOurs,
    );
    return list.map((formula, k) => ({
      formula,
      model: models[k] ?? null,
      left: formulas.get(formula) as number,
    }));
  };
  const [theirs, own] = [await set(wanted, false), await set(given, true)];
  const out: Found = { all: 0, found: 0, lost: [] };
  for (const { formula, model, left } of theirs) {
    if (!model) continue;
    let missing = left;
    for (const other of own) {
      if (missing === 0) break;
      if (other.left === 0 || !other.model || difference(model, other.model) !== null) continue;
      const taken = Math.min(missing, other.left);
      other.left -= taken;
      missing -= taken;
    }
    out.all += left;
    out.found += left - missing;
    if (missing > 0) out.lost.push(`${missing} of ${formula}`);
  }
  const spare = own.filter((other) => other.left > 0).map((other) => `${other.left} of ${other.formula}`);
  if (out.lost.length > 0) out.lost.push(`ours: ${spare.join(' ¦ ')}`);
  return out;
}

function countEach(list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}
