/** The bodies of the fixture documents, as a perfect reader would return them. */
import { readdirSync, readFileSync } from 'node:fs';
import { type NumberedPage, plainPage } from '#latex/assemble/page-body.ts';
import { PageWork } from '../pages/page-work.ts';
import { cleanBody } from '../repair/clean-body.ts';

const folder = new URL('../../fixtures/pdf/', import.meta.url);

export function page(number: number, body: string, extra: Partial<NumberedPage['page']> = {}): NumberedPage {
  return {
    number,
    page: { ...plainPage(body), ...extra },
  };
}

export interface FixtureDocument {
  name: string;
  pages: NumberedPage[];
}

/** One page per section of each source, with preamble lines and title as a reader would find them. */
export function fixtureDocuments(): FixtureDocument[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tex'))
    .sort()
    .map((name) => {
      const work = new PageWork(page(1, readFileSync(new URL(name, folder), 'utf8')));
      cleanBody(work, { assets: new Set() });
      const language = /grammaire/.test(name) ? 'french' : /biologie/.test(name) ? 'german' : undefined;
      const sections = work.body
        .trim()
        .split(/(?=^\\section)/m)
        .filter((part) => part.trim() !== '');
      const pages = sections.map((body, index) =>
        page(index + 1, body.trim(), {
          packages: index === 0 ? work.packages : [],
          preamble: index === 0 ? work.preamble : [],
          ...(index === 0 && work.title ? { title: work.title } : {}),
          layout: { ...(language ? { language } : {}), columns: /biologie/.test(name) ? 2 : 1 },
        }),
      );
      return { name: name.replace('.tex', ''), pages };
    });
}
