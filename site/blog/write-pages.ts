/**
 * The blog's pages: their content, which the app shows too, and the static pages around it. Those run one script, the
 * one in the head that applies the chosen colour scheme.
 */

import { Moon, Sun } from 'lucide-react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { escapeMarkup } from '#platform/escape-markup.ts';
import {
  articleAddress,
  articlePicture,
  type BlogArticle,
  type BlogPage,
  blogAddress,
  describeArticlePicture,
} from '#shared/blog.ts';
import { placeholders } from '#shared/site-facts.ts';
import { themeScript, themeToggle } from '#web/lib/page/theme.ts';
import { markPath } from '#web/ui/mark-path.ts';
import type { WrittenArticle } from './read-articles.ts';
import { renderMarkdown } from './render-markdown.ts';

export const blogTitle = 'Notes on notes';
export const blogDescription =
  'How to photograph, convert, check and keep handwritten notes, and how to write what is in them in LaTeX.';
/** The address prefixes of the static pages and of the app's. */
export type BlogRoot = '/blog' | '/blog-react';

function day(date: string): string {
  const text = new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `<time datetime="${date}">${text}</time>`;
}

function address(root: BlogRoot, slug: string): string {
  return root === '/blog' ? articleAddress(slug) : `${root}/${slug}`;
}

function listHref(root: BlogRoot): string {
  return root === '/blog' ? blogAddress : root;
}

function byline({ published, updated, minutes }: BlogArticle): string {
  const changed = updated === published ? '' : ` · updated ${day(updated)}`;
  return `<p class="byline">${day(published)}${changed} · ${minutes} min read</p>`;
}

/** The list of articles. */
export function writeList(articles: readonly BlogArticle[], root: BlogRoot): string {
  const items = articles
    .map(
      (article) =>
        `<li><article>${byline(article)}<h2><a href="${address(root, article.slug)}">${escapeMarkup(article.title)}</a></h2><p>${escapeMarkup(article.description)}</p></article></li>`,
    )
    .join('\n');
  return `<div class="blog blog-list">
<header><p class="kicker">The Inkproof blog</p><h1>${blogTitle}</h1><p class="lead">${blogDescription}</p></header>
<ol>${items}</ol>
<p class="feed"><a href="/blog/rss.xml">RSS feed</a></p>
</div>`;
}

/** One article with links to the previous and next one; the articles are newest first. */
export function writeArticle(
  articles: readonly WrittenArticle[],
  article: WrittenArticle,
  root: BlogRoot,
): string {
  const at = articles.indexOf(article);
  const neighbour = (other: BlogArticle | undefined, label: string, rel: string) =>
    other
      ? `<a class="${rel}" rel="${rel}" href="${address(root, other.slug)}"><span>${label}</span>${escapeMarkup(other.title)}</a>`
      : '';
  return `<div class="blog">
<article>
<header><p class="kicker"><a href="${listHref(root)}">Blog</a></p><h1>${escapeMarkup(article.title)}</h1><p class="lead">${escapeMarkup(article.description)}</p>${byline(article)}</header>
<div class="prose">
${renderMarkdown(article.markdown)}</div>
</article>
<aside class="try" aria-label="Try Inkproof"><p>Inkproof turns photos, scans and PDFs of notes into LaTeX that compiles, with its PDF. The first ten pages are free.</p><a class="action" href="/convert">Convert your notes</a></aside>
<nav class="neighbours" aria-label="More articles">${neighbour(articles[at + 1], 'Previous', 'prev')}${neighbour(articles[at - 1], 'Next', 'next')}</nav>
</div>`;
}

export function buildPages(articles: readonly WrittenArticle[], root: BlogRoot): BlogPage[] {
  return articles.map((article) => {
    const { markdown: _, ...described } = article;
    return { ...described, html: writeArticle(articles, article, root) };
  });
}

/** The article in schema.org's terms; the publisher is the site. */
export function describeArticle(article: BlogArticle): Record<string, unknown> {
  const publisher = { '@type': 'Organization', name: 'Inkproof', url: `${placeholders.publicUrl}/` };
  return {
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: article.title,
    description: article.description,
    datePublished: article.published,
    dateModified: article.updated,
    inLanguage: 'en-GB',
    image: `${placeholders.publicUrl}${articlePicture(article.slug)}`,
    mainEntityOfPage: `${placeholders.publicUrl}${articleAddress(article.slug)}`,
    author: publisher,
    publisher,
  };
}

export interface StaticPage {
  title: string;
  description: string;
  /** From the root. */
  canonical: string;
  /** The content of the main element. */
  html: string;
  /** Only for an article; the list uses the site's picture. */
  article?: BlogArticle;
}

/** The list's picture for link previews. */
const sitePicture = {
  path: '/og/landing.png',
  alt: 'Handwritten notes on the Gaussian integral, and the same notes typeset',
};

/** Paths of the build's files, from the root. */
export interface PageAssets {
  styles: readonly string[];
  fonts: readonly string[];
}

const places = [
  ['/', 'Home'],
  ['/convert', 'Convert'],
  ['/pricing', 'Pricing'],
  ['/blog/en', 'Blog'],
] as const;

/** The same button as in the app's header (web/app/header/header.tsx). */
function writeThemeToggle(): string {
  const face = (picture: typeof Moon, className: string, label: string) =>
    `<span class="${className}">${renderToStaticMarkup(createElement(picture, { 'aria-hidden': true }))}<span class="unseen">${label}</span></span>`;
  return `<button type="button" class="theme" ${Object.keys(themeToggle).join(' ')}>${face(Moon, 'in-light', 'Use dark colours')}${face(Sun, 'in-dark', 'Use light colours')}</button>`;
}

/**
 * A complete page. Addresses on this site begin with a placeholder, which the server replaces (shared/site-facts.ts).
 */
export function writePage(
  { title, description, canonical, html, article }: StaticPage,
  assets: PageAssets,
): string {
  const url = `${placeholders.publicUrl}${canonical}`;
  const picture = article
    ? { path: articlePicture(article.slug), alt: describeArticlePicture(article) }
    : sitePicture;
  const links = places
    .map(([to, label]) => `<a href="${to}"${to === '/blog/en' ? ' class="current"' : ''}>${label}</a>`)
    .join('');
  return `<!DOCTYPE html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<script>${themeScript}</script>
<title>${escapeMarkup(title)}</title>
<meta name="description" content="${escapeMarkup(description)}">
<link rel="canonical" href="${url}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="/site.webmanifest">
<link rel="alternate" type="application/rss+xml" title="Inkproof blog" href="/blog/rss.xml">
${assets.fonts.map((font) => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin fetchpriority="low">`).join('\n')}
${assets.styles.map((style) => `<link rel="stylesheet" href="${style}">`).join('\n')}
<meta property="og:site_name" content="Inkproof">
<meta property="og:type" content="${article ? 'article' : 'website'}">
<meta property="og:url" content="${url}">
<meta property="og:title" content="${escapeMarkup(title)}">
<meta property="og:description" content="${escapeMarkup(description)}">
<meta property="og:image" content="${placeholders.publicUrl}${picture.path}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${escapeMarkup(picture.alt)}">
<meta name="twitter:card" content="summary_large_image">
${article ? `<script type="application/ld+json">${JSON.stringify(describeArticle(article)).replaceAll('<', '\\u003c')}</script>` : ''}
</head>
<body class="blog-page">
<a class="skip" href="#content">Skip to content</a>
<header class="site-header"><div>
<a class="home" href="/" aria-label="Inkproof, home"><svg viewBox="0 0 32 32" aria-hidden="true" fill="currentColor"><path d="${markPath}"/></svg><span>Inkproof</span></a>
<nav class="row" aria-label="Main">${links}</nav>
${writeThemeToggle()}
<details class="menu"><summary aria-label="Menu"><svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><path d="M4 6h16M4 12h16M4 18h16"/></svg></summary><nav aria-label="Main menu">${links}</nav></details>
</div></header>
<main id="content" tabindex="-1">
${html}
</main>
<footer class="site-footer"><div><nav aria-label="Footer"><a href="/contact">Contact</a><a href="/terms">Terms of Service</a><a href="/privacy">Privacy</a></nav><p>© ${new Date().getFullYear()} Inkproof</p></div></footer>
</body>
</html>
`;
}

/** RSS 2.0, newest first, with absolute addresses. */
export function writeFeed(articles: readonly BlogArticle[]): string {
  const items = articles.map((article) => {
    const url = `${placeholders.publicUrl}${articleAddress(article.slug)}`;
    return `<item><title>${escapeMarkup(article.title)}</title><link>${url}</link><guid isPermaLink="true">${url}</guid><pubDate>${new Date(`${article.published}T00:00:00Z`).toUTCString()}</pubDate><description>${escapeMarkup(article.description)}</description></item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>Inkproof: ${blogTitle}</title><link>${placeholders.publicUrl}${blogAddress}</link><description>${escapeMarkup(blogDescription)}</description><language>en-gb</language>
<atom:link href="${placeholders.publicUrl}/blog/rss.xml" rel="self" type="application/rss+xml"/>
${items.join('\n')}
</channel></rss>
`;
}
