/** Reads the cases folder: each case is a folder with `page-N.tex` files and `expected.json`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { NumberedPage } from '#latex/assemble/page-body.ts';
import { page } from './fixture-pages.ts';

interface ExpectedCase {
  /** One sentence: what is broken. */
  about: string;
  /** Default `proved`. */
  outcome?: 'proved' | 'failed';
  /** Largest share of any page kept verbatim. Default 0. */
  verbatimAtMost?: number;
  /** All must occur in the LaTeX. */
  contains?: string[];
  /** Must not occur in it. */
  lacks?: string[];
  /** Words that must occur in the PDF's text. */
  prints?: string[];
  /** Page numbers left out. Default none. */
  failedPages?: number[];
  /** Warning codes that must be among the warnings. */
  warnings?: string[];
  /** Extra page fields by page number, e.g. `{"1": {"endsParagraph": false}}`. */
  pages?: Record<string, Partial<NumberedPage['page']>>;
  /** Most compiles allowed. Default 6. */
  compilesAtMost?: number;
}

export interface Case {
  name: string;
  pages: NumberedPage[];
  expected: ExpectedCase;
}

const folder = new URL('../cases/', import.meta.url);

/** One case for each kind of repair and each outcome, included in every run. */
export const keyCases: readonly string[] = [
  ...['plain', 'joined-pages', 'duplicate-labels', 'all-garbage', 'garbage-page', 'isolated-formula'],
  ...['endless-loop', 'bad-preamble', 'missing-package', 'input-files', 'undefined-command'],
  ...['ampersand-in-text', 'unclosed-dollar', 'crossed-environments', 'unicode-maths'],
];
const rankOf = (name: string) => {
  const rank = keyCases.indexOf(name);
  return rank < 0 ? keyCases.length : rank;
};

/** Lists all cases, the representative ones first. */
export function listCases(): Case[] {
  return readdirSync(folder)
    .filter((name) => existsSync(new URL(`${name}/expected.json`, folder)))
    .sort()
    .sort((one, other) => rankOf(one) - rankOf(other))
    .map((name) => {
      const own = new URL(`${name}/`, folder);
      const expected = JSON.parse(readFileSync(new URL('expected.json', own), 'utf8')) as ExpectedCase;
      const pages = readdirSync(own)
        .flatMap((file) => {
          const number = /^page-(\d+)\.tex$/.exec(file)?.[1];
          if (!number) return [];
          const body = readFileSync(new URL(file, own), 'utf8').trimEnd();
          return [page(Number(number), body, expected.pages?.[number])];
        })
        .sort((a, b) => a.number - b.number);
      return { name, pages, expected };
    });
}
