/** Reads the articles, when the site is built: Markdown with front matter of `key: value` lines. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { BlogArticle, BlogPage } from '#shared/blog.ts';
import { renderMarkdown } from './render-markdown.server.ts';

const contentFolder = path.resolve('content/blog');

const Head = z.strictObject({
  title: z.string().min(10).max(80),
  description: z.string().min(60).max(160),
  published: z.iso.date(),
  updated: z.iso.date().optional(),
});

export interface WrittenArticle extends BlogArticle {
  markdown: string;
}

const wordsAMinute = 220;

/** Newest first; sorted by name within a day. @throws Error naming the file with invalid front matter */
export function readArticles(): WrittenArticle[] {
  return readdirSync(contentFolder)
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) =>
      readArticle(name.slice(0, -'.md'.length), readFileSync(path.join(contentFolder, name), 'utf8')),
    )
    .toSorted((one, other) => other.published.localeCompare(one.published));
}

function readArticle(slug: string, text: string): WrittenArticle {
  const [, head, markdown] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  if (head === undefined || markdown === undefined)
    throw new Error(`${slug}.md has no head between --- lines.`);
  const pairs = head.split('\n').map((line) => {
    const at = line.indexOf(': ');
    return [line.slice(0, at), line.slice(at + 2).trim()] as const;
  });
  const parsed = Head.safeParse(Object.fromEntries(pairs));
  if (!parsed.success) throw new Error(`${slug}.md: ${z.prettifyError(parsed.error)}`);
  const { title, description, published, updated } = parsed.data;
  return {
    slug,
    title,
    description,
    published,
    updated: updated ?? published,
    minutes: Math.max(1, Math.round(countWords(markdown) / wordsAMinute)),
    markdown,
  };
}

/** The page of one of the articles; null if none has that name. */
export function findPage(articles: readonly WrittenArticle[], slug: string): BlogPage | null {
  const at = articles.findIndex((article) => article.slug === slug);
  if (at < 0) return null;
  const { markdown, ...article } = articles[at]!;
  const link = (other: BlogArticle | undefined) => (other ? { slug: other.slug, title: other.title } : null);
  return {
    ...article,
    html: renderMarkdown(markdown),
    previous: link(articles[at + 1]),
    next: link(articles[at - 1]),
  };
}

/** Counts the words that take reading time: not source and formulas. */
export function countWords(markdown: string): number {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/\$\$[\s\S]*?\$\$|\$[^$\n]+\$/g, '');
  return prose.match(/[\p{L}\p{N}][\p{L}\p{N}’'-]*/gu)?.length ?? 0;
}

export interface SourceBlock {
  /**
   * The words after the fence's `latex`: `preamble` for lines that later blocks need, `fails` for one with an error.
   */
  kind: 'document' | 'preamble' | 'fragment' | 'fails';
  latex: string;
}

/** The LaTeX blocks of an article, in order. */
export function listSource(markdown: string): SourceBlock[] {
  return [...markdown.matchAll(/^```latex *([a-z]*)\n([\s\S]*?)^```/gm)].map(([, word = '', latex = '']) => ({
    kind: latex.includes('\\documentclass')
      ? 'document'
      : word === 'preamble' || word === 'fails'
        ? word
        : 'fragment',
    latex,
  }));
}

/** The formulas in its text, including their dollars. */
export function listFormulas(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  return prose.match(/\$\$[\s\S]*?\$\$|\$[^$\n]+\$/g) ?? [];
}
