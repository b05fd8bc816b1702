import { expect, test } from 'vitest';
import { writeRobots, writeSitemap } from './sitemap.ts';

const head = (canonical: string, more = '') =>
  `<head><link rel="canonical" href="${canonical}"/>${more}</head>`;

test('the sitemap has the pages that call themselves canonical and want to be found', () => {
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

test('robots are told where the sitemap is, and to leave the API alone', () => {
  expect(writeRobots('https://ink.test')).toBe(
    'User-agent: *\nDisallow: /api/\nDisallow: /auth/v1/\nDisallow: /rest/v1/\n\nSitemap: https://ink.test/sitemap.xml\n',
  );
});
