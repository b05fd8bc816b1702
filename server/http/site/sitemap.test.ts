import { expect, test } from 'vitest';
import { writeRobots, writeSitemap } from './sitemap.ts';

const head = (canonical: string, more = '') =>
  `<head><link rel="canonical" href="${canonical}"/>${more}</head>`;

test('the sitemap has the pages that are canonical and may be indexed', () => {
  const sitemap = writeSitemap('https://ink.test', [
    { address: '/pricing', html: head('https://ink.test/pricing') },
    { address: '/', html: head('https://ink.test/') },
    { address: '/blog/first', html: head('https://ink.test/blog/first/') },
    { address: '/twin', html: head('https://ink.test/pricing') },
    {
      address: '/account',
      html: head('https://ink.test/account', '<meta name="robots" content="noindex"/>'),
    },
    { address: '/plain', html: '<head></head>' },
  ]);
  expect(sitemap.match(/<loc>[^<]*<\/loc>/g)).toEqual([
    '<loc>https://ink.test/</loc>',
    '<loc>https://ink.test/blog/first/</loc>',
    '<loc>https://ink.test/pricing</loc>',
  ]);
});

test('a page with a film has it in the sitemap', () => {
  const film = {
    '@context': 'https://schema.org',
    '@type': 'VideoObject',
    name: 'Ink & print',
    description: 'A page is read.',
    thumbnailUrl: ['https://ink.test/demo/poster.webp'],
    uploadDate: '2026-01-02T03:04:05.000Z',
    duration: 'PT41S',
    contentUrl: 'https://ink.test/demo/film.mp4',
  };
  const data = (thing: unknown) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`;
  const sitemap = writeSitemap('https://ink.test', [
    { address: '/', html: head('https://ink.test/', data(film) + data({ '@type': 'WebSite' })) },
    { address: '/pricing', html: head('https://ink.test/pricing') },
  ]);
  expect(sitemap).toContain(
    '<url><loc>https://ink.test/</loc><video:video><video:thumbnail_loc>https://ink.test/demo/poster.webp</video:thumbnail_loc><video:title>Ink &amp; print</video:title>',
  );
  expect(sitemap).toContain('<video:duration>41</video:duration>');
  expect(sitemap).toContain('<url><loc>https://ink.test/pricing</loc></url>');
});

test('robots learn where the sitemap is, and are kept from the API', () => {
  expect(writeRobots('https://ink.test')).toBe(
    'User-agent: *\nDisallow: /api/\nDisallow: /auth/v1/\nDisallow: /rest/v1/\n\nSitemap: https://ink.test/sitemap.xml\n',
  );
});
