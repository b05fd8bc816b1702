/**
 * Puts one fault into a document, as people make them: drawn from a seed, with the lines where a person would
 * look for it.
 */

import { scanLatex, type Token } from '#latex/source/scan.ts';
import { SourceText } from '#latex/source/source-text.ts';
import type { Random } from '../../test-support/random.ts';

export interface Mutation {
  kind: string;
  latex: string;
  lines: number[];
}

interface Fault {
  at: number;
  /** Characters removed. */
  length: number;
  insert: string;
  /** Another place where a person would look: the partner of what was removed. */
  also?: number;
  /** Any reported line is right: what was removed is used everywhere. */
  isEverywhere?: boolean;
}

interface Page {
  text: string;
  tokens: Token[];
  /** Where the body begins. */
  body: number;
}

const take = (token: Token, also?: number): Fault => ({
  at: token.start,
  length: token.end - token.start,
  insert: '',
  also,
});
const put = (at: number, insert: string): Fault => ({ at, length: 0, insert });

/** The partner of a brace or environment. */
function partner(
  { tokens }: Page,
  index: number,
  opens: Token['kind'],
  closes: Token['kind'],
): number | undefined {
  const isOpener = tokens[index]!.kind === opens;
  let depth = 0;
  for (let at = index; at >= 0 && at < tokens.length; at += isOpener ? 1 : -1) {
    const { kind } = tokens[at]!;
    if (kind === opens) depth += isOpener ? 1 : -1;
    else if (kind === closes) depth += isOpener ? -1 : 1;
    if (depth === 0) return tokens[at]!.start;
  }
  return undefined;
}

const every = (
  page: Page,
  test: (token: Token, index: number) => boolean,
  make: (token: Token, index: number) => Fault,
) => page.tokens.flatMap((token, index) => (test(token, index) ? [make(token, index)] : []));

const inBody = (page: Page, { start }: Token) => start > page.body + 16;

function misspell(name: string, random: Random): string {
  const at = 1 + random.below(Math.max(1, name.length - 1));
  switch (random.below(3)) {
    case 0:
      return name.slice(0, at) + name.slice(at + 1);
    case 1:
      return at + 1 < name.length && name[at] !== name[at + 1]
        ? name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2)
        : `${name}${name.at(-1)}`;
    default:
      return name.slice(0, at) + name[at - 1] + name.slice(at);
  }
}

/** Each kind of fault, with all the places in a document where it can be made. */
const kinds: Record<string, (page: Page, random: Random) => Fault[]> = {
  'a } deleted': (page) =>
    every(
      page,
      ({ kind }) => kind === 'close',
      (token, index) => take(token, partner(page, index, 'open', 'close')),
    ),
  'a { deleted': (page) =>
    every(
      page,
      ({ kind }) => kind === 'open',
      (token, index) => take(token, partner(page, index, 'open', 'close')),
    ),
  'a $ deleted': (page) => {
    let count = 0;
    const dollars = page.tokens.flatMap((token, index) => (token.kind === 'dollar' ? [index] : []));
    return dollars.map((index) => {
      const other = dollars[count % 2 === 0 ? count + 1 : count - 1];
      count++;
      return take(page.tokens[index]!, other === undefined ? undefined : page.tokens[other]!.start);
    });
  },
  'an \\end deleted': (page) =>
    every(
      page,
      ({ kind, name }) => kind === 'end' && name !== 'document',
      (token, index) => take(token, partner(page, index, 'begin', 'end')),
    ),
  'a \\begin deleted': (page) =>
    every(
      page,
      ({ kind, name }) => kind === 'begin' && name !== 'document',
      (token, index) => take(token, partner(page, index, 'begin', 'end')),
    ),
  'a command misspelt': (page, random) =>
    every(
      page,
      ({ kind, name }) => kind === 'command' && /^[A-Za-z]{4,}$/.test(name),
      (token) => ({
        at: token.start + 1,
        length: token.name.length,
        insert: misspell(token.name, random),
      }),
    ),
  'an environment misspelt': (page, random) =>
    every(
      page,
      ({ kind, name }) => (kind === 'begin' || kind === 'end') && name !== 'document' && name.length > 3,
      (token, index) => ({
        at: page.text.indexOf('{', token.start) + 1,
        length: token.name.length,
        insert: misspell(token.name, random),
        also: partner(page, index, 'begin', 'end'),
      }),
    ),
  'a package dropped': ({ text }) =>
    [...text.matchAll(/^\\usepackage(?:\[[^\]]*\])?\{[^}]*\}.*\n/gm)].map(({ index, 0: line }) => ({
      at: index,
      length: line.length,
      insert: '',
      isEverywhere: true,
    })),
  'an & in text': (page) =>
    every(
      page,
      (token) => token.kind === 'text' && inBody(page, token),
      (token) => put(token.end, ' & '),
    ),
  'an _ in text': (page) =>
    every(
      page,
      (token) =>
        token.kind === 'text' &&
        inBody(page, token) &&
        /^[a-z]{4,}$/.test(page.text.slice(token.start, token.end)),
      (token) => put(token.start + 2, '_'),
    ),
  'a % in text': (page) =>
    every(
      page,
      (token) =>
        token.kind === 'text' && inBody(page, token) && /\d$/.test(page.text.slice(token.start, token.end)),
      (token) => put(token.end, ' %'),
    ),
  'a second superscript': (page) =>
    every(
      page,
      ({ kind }, index) => kind === 'superscript' && page.tokens[index + 1] !== undefined,
      (token) => put(token.start, '^2'),
    ),
  'an \\item missing': (page) =>
    every(
      page,
      ({ kind, name }) => kind === 'command' && name === 'item',
      (token) => take(token),
    ),
  'a \\right deleted': (page) =>
    every(
      page,
      ({ kind, name }) => kind === 'command' && name === 'right',
      (token) => take(token),
    ),
  'a \\left deleted': (page) =>
    every(
      page,
      ({ kind, name }) => kind === 'command' && name === 'left',
      (token) => take(token),
    ),
  'a \\left too many': (page) =>
    every(
      page,
      ({ kind }, index) =>
        kind === 'text' && page.text[page.tokens[index]!.start] === '(' && inBody(page, page.tokens[index]!),
      (token) => put(token.start, '\\left'),
    ),
  'an unknown colour': (page) =>
    [...page.text.matchAll(/\\(?:textcolor|color)\{([A-Za-z]+)\}/g)]
      .map(({ index, 0: whole }) => put(index + whole.length - 1, 'x'))
      .concat(
        page.text.includes('xcolor') || page.text.includes('tikz')
          ? every(
              page,
              (token) => token.kind === 'break' && inBody(page, token),
              (token) => put(token.end, '\\textcolor{bluue}{x} '),
            )
          : [],
      ),
  'a missing file': (page) =>
    every(
      page,
      (token, index) =>
        token.kind === 'break' && inBody(page, token) && page.tokens[index + 1]?.kind === 'text',
      (token) =>
        put(
          token.end,
          page.text.includes('graphicx') ? '\\includegraphics{nosuchpicture}\n' : '\\input{nosuchchapter}\n',
        ),
    ),
  'verbatim not closed': (page) =>
    every(
      page,
      (token, index) =>
        token.kind === 'break' && inBody(page, token) && page.tokens[index + 1]?.kind === 'text',
      (token) => put(token.end, '\\begin{verbatim}\nx = y_1 & z\n'),
    ),
  'an & too many': (page) =>
    every(
      page,
      ({ kind }) => kind === 'ampersand',
      (token) => put(token.start, '& '),
    ),
  'an \\end too many': (page) =>
    every(
      page,
      (token, index) =>
        token.kind === 'break' && inBody(page, token) && page.tokens[index + 1]?.kind === 'text',
      (token) => put(token.start, '\n\\end{itemize}'),
    ),
  'a # in text': (page) =>
    every(
      page,
      (token) => token.kind === 'text' && inBody(page, token),
      (token) => put(token.end, ' #1 '),
    ),
};

/** A document with one fault; null if the drawn kind has no place in it. */
export function mutate(text: string, random: Random): Mutation | null {
  const page: Page = { text, tokens: scanLatex(text), body: text.indexOf('\\begin{document}') };
  const kind = random.pick(Object.keys(kinds));
  const faults = kinds[kind]!(page, random);
  if (faults.length === 0) return null;
  const { at, length, insert, also, isEverywhere } = random.pick(faults);
  const latex = text.slice(0, at) + insert + text.slice(at + length);
  const source = new SourceText(latex);
  const lineOf = (offset: number) =>
    source.positionOf(offset > at ? offset + insert.length - length : offset).line;
  if (isEverywhere) return { kind, latex, lines: [] };
  const own = source.positionOf(at + insert.length - insert.trimStart().length).line;
  return { kind, latex, lines: also === undefined ? [own] : [own, lineOf(also)] };
}
