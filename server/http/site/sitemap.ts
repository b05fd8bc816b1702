/** Tells search engines which pages exist, and which not to index. */

import { z } from 'zod';
import { escapeMarkup } from '#shared/escape-markup.ts';

/** A built page: its address and text. */
export interface BuiltPage {
  address: string;
  html: string;
}

/**
 * sitemap.xml: the built pages that declare themselves canonical and do not ask to be excluded, with the films
 * that they describe as structured data (Google's video extension).
 * @param publicUrl without a trailing slash
 */
export function writeSitemap(publicUrl: string, pages: readonly BuiltPage[]): string {
  const films = new Map<string, string>();
  for (const { address, html } of pages) {
    const found = findAddress(html, `${publicUrl}${address}`);
    if (found !== null && !films.has(found)) films.set(found, listVideos(html));
  }
  const urls = [...films]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([address, film]) => `  <url><loc>${address}</loc>${film}</url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1">\n${urls.join('')}</urlset>\n`;
}

/** The fields of a page's VideoObject that a sitemap uses. */
const Video = z.object({
  '@type': z.literal('VideoObject'),
  name: z.string(),
  description: z.string(),
  thumbnailUrl: z.tuple([z.string()]),
  uploadDate: z.string(),
  /** Whole seconds. */
  duration: z.string().regex(/^PT\d+S$/),
  contentUrl: z.string(),
});

function listVideos(html: string): string {
  return [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)]
    .flatMap(([, text = '']) => Video.safeParse(JSON.parse(text)).data ?? [])
    .map(({ name, description, thumbnailUrl, uploadDate, duration, contentUrl }) => {
      const parts = {
        thumbnail_loc: thumbnailUrl[0],
        title: name,
        description,
        content_loc: contentUrl,
        duration: duration.slice(2, -1),
        publication_date: uploadDate,
      };
      const tags = Object.entries(parts).map(
        ([tag, text]) => `<video:${tag}>${escapeMarkup(text)}</video:${tag}>`,
      );
      return `<video:video>${tags.join('')}</video:video>`;
    })
    .join('');
}

/** The canonical address as written in the page (escaped), with or without a trailing slash. */
function findAddress(html: string, address: string): string | null {
  if (/<meta\b[^>]*\bname="robots"[^>]*\bnoindex\b/i.test(html)) return null;
  const canonical = /<link\b[^>]*\brel="canonical"[^>]*>/i.exec(html)?.[0] ?? '';
  const href = /\bhref="([^"]*)"/i.exec(canonical)?.[1];
  return href && href.replace(/\/$/, '') === address.replace(/\/$/, '') ? href : null;
}

/** robots.txt. Pages that must not be indexed say so themselves, which crawlers must be allowed to read. */
export function writeRobots(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /auth/v1/\nDisallow: /rest/v1/\n\nSitemap: ${publicUrl}/sitemap.xml\n`;
}
