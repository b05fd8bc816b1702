/** Metadata of a public page for search engines and link previews. For a route's `meta`. */
import { getSiteFacts } from './site-facts.ts';

export interface PageDescription {
  /** From the root, without a trailing slash except for `/`. */
  path: `/${string}`;
  title: string;
  /** One or two sentences, at most 160 characters. */
  description: string;
  /** A picture made at build time, 1200 × 630; path from the root. Default: the front page's. */
  image?: { path: `/${string}`; alt: string };
  /** Open Graph's. Default: `website`. */
  type?: 'article';
  /** Structured data (schema.org), one object each; `@context` is added. */
  data?: readonly Record<string, unknown>[];
}

const sitePicture = {
  path: '/og/landing.png',
  alt: 'Handwritten notes on the Gaussian integral, and the same notes typeset',
} as const;

/** Title, description, canonical address, Open Graph and structured data. */
export function describePage(page: PageDescription) {
  const { path, title, description, image = sitePicture, type = 'website', data = [] } = page;
  const address = siteAddress(path);
  return [
    { title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: address },
    { property: 'og:site_name', content: 'Inkproof' },
    { property: 'og:type', content: type },
    { property: 'og:url', content: address },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:image', content: siteAddress(image.path) },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: image.alt },
    { name: 'twitter:card', content: 'summary_large_image' },
    ...data.map((thing) => ({ 'script:ld+json': { '@context': 'https://schema.org', ...thing } })),
  ];
}

/** A page's full address on this installation. */
export function siteAddress(path: `/${string}`): string {
  return `${getSiteFacts().publicUrl}${path}`;
}
