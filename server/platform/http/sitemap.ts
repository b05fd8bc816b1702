/** What search engines are told: which pages there are to find, and what is not for them. */

/** A built page, by its address and its text. */
export interface BuiltPage {
  address: string;
  html: string;
}

/**
 * sitemap.xml: the built pages that call themselves canonical and do not ask to be left out.
 * @param publicUrl without a slash at its end
 */
export function writeSitemap(publicUrl: string, pages: readonly BuiltPage[]): string {
  const found = pages.flatMap(({ address, html }) => findAddress(html, `${publicUrl}${address}`) ?? []);
  const urls = [...new Set(found)].toSorted().map((address) => `  <url><loc>${address}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`;
}

/** The canonical address as the page writes it (escaped), with or without a slash at its end. */
function findAddress(html: string, address: string): string | null {
  if (/<meta\b[^>]*\bname="robots"[^>]*\bnoindex\b/i.test(html)) return null;
  const canonical = /<link\b[^>]*\brel="canonical"[^>]*>/i.exec(html)?.[0] ?? '';
  const href = /\bhref="([^"]*)"/i.exec(canonical)?.[1];
  return href && href.replace(/\/$/, '') === address.replace(/\/$/, '') ? href : null;
}

/** robots.txt. Pages that are not to be found say so themselves, which a crawler has to be let in to read. */
export function writeRobots(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /auth/v1/\nDisallow: /rest/v1/\n\nSitemap: ${publicUrl}/sitemap.xml\n`;
}
