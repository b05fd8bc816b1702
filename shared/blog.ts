/** The blog: its articles as built from content/blog, and their addresses. */

export const blogTitle = 'Notes on notes';
export const blogDescription =
  'How to photograph, convert, check and keep handwritten notes, and how to write what is in them in LaTeX.';

export interface BlogArticle {
  /** Its file's name without `.md`; its address is `/blog/{slug}/index.html`. */
  slug: string;
  title: string;
  /** One or two sentences, at most 160 characters. */
  description: string;
  /** ISO 8601, days. */
  published: string;
  updated: string;
  /** At 220 words a minute, without formulas and source; at least 1. */
  minutes: number;
}

export type BlogLink = Pick<BlogArticle, 'slug' | 'title'>;

export interface BlogPage extends BlogArticle {
  /** The article's text. */
  html: string;
  /** The articles written before and after this one. */
  previous: BlogLink | null;
  next: BlogLink | null;
}

/** The canonical address of an article, from the root. */
export function articleAddress(slug: string): `/${string}` {
  return `/blog/${slug}/`;
}

/** Its picture for link previews, 1200 × 630, from the root. */
export function articlePicture(slug: string): `/${string}` {
  return `/og/blog-${slug}.png`;
}

/** The picture's alternative text. */
export function describeArticlePicture({ title }: Pick<BlogArticle, 'title'>): string {
  return `The title, ${title}, over a piece of typeset mathematics from the article`;
}

/** The canonical address of the list of articles. */
export const blogAddress = '/blog/en/';
export const feedAddress = '/blog/rss.xml';
