/** Holds the articles to what a program can check: their LaTeX compiles, and their figures are those of the code. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { findFormula, normaliseFormula, normaliseQuery, prepareFormula } from '#latex/formula/index.ts';
import { templates } from '#latex/templates/index.ts';
import { maxFileBytes, maxFiles, maxPages, maxPixels } from '#shared/api/limits.ts';
import { articlePicture } from '#shared/blog.ts';
import { describeArticle, writeFeed } from '#web/features/blog/describe-blog.ts';
import { highlightLatex } from '#web/features/blog/highlight-latex.ts';
import {
  countWords,
  findPage,
  listFormulas,
  listSource,
  readArticles,
} from '#web/features/blog/read-articles.server.ts';
import { landingQuestions } from '#web/features/landing/questions.ts';
import { openTypesetter } from '../test-support/open-typesetter.ts';
import { listTexts, readRecord } from './pictures/draw-articles.ts';

const articles = readArticles();
const pages = articles.map(({ slug }) => findPage(articles, slug)!);
const getMarkdown = (slug: string) => articles.find((article) => article.slug === slug)!.markdown;

test.each(articles)('$slug is as long as an article', ({ markdown }) => {
  expect(countWords(markdown)).toBeGreaterThanOrEqual(700);
  expect(countWords(markdown)).toBeLessThanOrEqual(1250);
});

const { typesetter } = await openTypesetter({ concurrency: 1 });

describe('LaTeX of the articles', () => {
  test.each(articles)('$slug: what it shows and its formulas compile', async ({ markdown }) => {
    const blocks = listSource(markdown);
    for (const { latex } of blocks.filter(({ kind }) => kind === 'document'))
      expect(await typesetter.compile({ latex, owner: 'blog' })).toMatchObject({ kind: 'compiled' });
    const preamble = blocks.filter(({ kind }) => kind === 'preamble').map(({ latex }) => latex);
    const body = [
      ...blocks.filter(({ kind }) => kind === 'fragment').map(({ latex }) => latex),
      ...listFormulas(markdown),
    ];
    const latex = [
      '\\documentclass{article}',
      '\\usepackage{amsmath,amssymb}',
      ...preamble,
      '\\begin{document}',
      'x',
      ...body,
      '\\end{document}\n',
    ].join('\n');
    const result = await typesetter.compile({ latex, owner: 'blog' });
    expect(result, JSON.stringify(result).slice(0, 2000)).toMatchObject({ kind: 'compiled' });
  });

  test('examples shown as errors are errors', async () => {
    const wrong = articles.flatMap(({ markdown }) =>
      listSource(markdown).filter(({ kind }) => kind === 'fails'),
    );
    expect(wrong).not.toEqual([]);
    for (const { latex } of wrong)
      expect(
        await typesetter.compile({
          latex: `\\documentclass{article}\\usepackage{amsmath}\\begin{document}\n${latex}\\end{document}\n`,
          owner: 'blog',
        }),
      ).toMatchObject({ kind: 'failed' });
  });
});

test('pictures show the current documents, and have the size stated in the page', async () => {
  expect(readRecord()).toEqual(listTexts());
  for (const { slug } of articles) {
    const { width, height, size } = await sharp(
      readFileSync(path.join('web/public', articlePicture(slug))),
    ).metadata();
    expect([width, height]).toEqual([1200, 630]);
    expect(size).toBeLessThan(100_000);
  }
  for (const [, file, width, height] of articles.flatMap(({ markdown }) => [
    ...markdown.matchAll(/\]\((\/blog\/[^#]+)#(\d+)x(\d+)/g),
  ])) {
    const size = await sharp(readFileSync(path.join('web/public', file!))).metadata();
    expect([size.width, size.height]).toEqual([Number(width), Number(height)]);
  }
});

test('limits are those of the product', () => {
  expect(maxFiles).toBe(maxPages);
  expect(getMarkdown('how-to-photograph-notes')).toContain(
    `${maxFileBytes / 1e6} MB and ${maxPixels / 1e6} megapixels a file, ${maxPages} pages in one conversion`,
  );
  const names = templates.map(({ name }) => name.toLowerCase().replace(' document', ''));
  expect(getMarkdown('latex-starter-for-handwritten-maths')).toContain(
    `six templates: ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`,
  );
});

test('figures on reading handwriting are the measured ones', () => {
  const card = readFileSync('reading/models/README.md', 'utf8');
  expect(card).toMatch(/lines, character error rate \(338\) \| \*\*0\.055\*\*/);
  expect(card).toMatch(
    /24 writers of public repositories.* lines found \*\*0\.705\*\* .* exact \*\*0\.170\*\* /,
  );
  const figure =
    /about one character in twenty wrong.* phone photos of mathematics.* find seven lines in ten, and to read one in six without a mistake/i;
  expect(getMarkdown('what-to-check-after-a-conversion')).toMatch(figure);
  expect(landingQuestions.map(({ answer }) => answer).join('\n')).toMatch(figure);
});

test('formulas are found, or not, as the articles say', () => {
  const isFound = (query: string, formula: string) =>
    findFormula(normaliseQuery(query), prepareFormula(normaliseFormula(formula))) >= 0;
  const gauss = String.raw`\int e^{-x^2}\,\mathrm{d}x`;
  expect(isFound(gauss, String.raw`\int_{-\infty}^{\infty} e^{-t^2}\,\mathrm{d}t`)).toBe(true);
  expect(isFound(gauss, String.raw`\int e^{-x y}\,\mathrm{d}x`)).toBe(false);
  expect(
    isFound(String.raw`\sum \frac{1}{n^2}`, String.raw`\sum_{k=1}^\infty \frac{1}{k^2} = \frac{\pi^2}{6}`),
  ).toBe(true);
  expect(
    isFound(String.raw`\frac{\partial \psi}{\partial t}`, String.raw`\frac{\partial u}{\partial t} = c`),
  ).toBe(true);
});

test('links of the blog lead to articles, and anchors are unique', () => {
  const slugs = articles.map(({ slug }) => slug);
  for (const { html } of pages) {
    const links = [...html.matchAll(/href="\/blog\/([^"/]+)\/"/g)].map(([, slug]) => slug!);
    for (const slug of links) expect([...slugs, 'en']).toContain(slug);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(html).not.toContain('<script');
    expect(html).not.toContain('katex-error');
  }
});

test('each article links to the one before and the one after', () => {
  const [first, second] = pages;
  expect(first).toMatchObject({ previous: { slug: second?.slug, title: second?.title }, next: null });
  expect(second).toMatchObject({ next: { slug: first?.slug, title: first?.title } });
  expect(findPage(articles, 'no-such-article')).toBeNull();
});

test('the feed and the structured data contain every article’s address', () => {
  const feed = writeFeed(articles);
  for (const article of articles) {
    const address = `https://inkproof.example/blog/${article.slug}/`;
    expect(feed).toContain(`<link>${address}</link>`);
    expect(describeArticle(article)).toMatchObject({ '@type': 'Article', mainEntityOfPage: address });
  }
});

test('highlighting keeps every character of the source', () => {
  const source = '\\frac{a}{b} % <half> & "more"\n\\[ x \\]';
  const text = highlightLatex(source)
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  expect(text).toBe(source);
});
