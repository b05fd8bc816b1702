import { chooseFrom } from '../../test-support/matrix.ts';
import { slugs } from '../support/screens/blog.ts';
import { expect, expectGoodLooks, test } from '../support/test.ts';

const pages = ['/blog/en/', ...slugs.map((slug) => `/blog/${slug}/index.html`)];

for (const path of chooseFrom(import.meta.filename, pages))
  test(`${path} at every size, in both colours: accessible, nothing overflows`, async ({ page }) => {
    const scripts: string[] = [];
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
    expect((await page.goto(path))?.status()).toBe(200);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectGoodLooks(page);
    // there is nothing to run
    expect(scripts).toEqual([]);
  });

test('short addresses lead to the static pages [§2 /blog, /blog/{slug}: to the static pages]', async ({
  request,
}) => {
  for (const [from, to] of [
    ['/blog', '/blog/index.html'],
    ['/blog/en', '/blog/en/index.html'],
    [`/blog/${slugs[0]}`, `/blog/${slugs[0]}/index.html`],
  ] as const) {
    const answer = await request.get(from, { maxRedirects: 0 });
    expect(answer.status()).toBe(302);
    expect(answer.headers().location).toBe(to);
    expect((await request.get(from)).status()).toBe(200);
  }
});

test('feeds and metadata have this installation’s addresses', async ({ page, request, baseURL }) => {
  const origin = new URL(baseURL!).origin;
  await page.goto(`/blog/${slugs[0]}/`);
  const address = await page.locator('link[rel=canonical]').getAttribute('href');
  expect(address).toBe(`${origin}/blog/${slugs[0]}/`);
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent())!);
  expect(data).toMatchObject({ '@type': 'Article', mainEntityOfPage: address });
  const picture = await page.locator('meta[property="og:image"]').getAttribute('content');
  expect(picture).toBe(`${origin}/og/blog-${slugs[0]}.png`);
  expect(data.image).toBe(picture);
  expect((await request.get(picture!)).headers()['content-type']).toBe('image/png');
  const feed = await request.get('/blog/rss.xml');
  expect(feed.headers()['content-type']).toContain('application/rss+xml');
  expect(await feed.text()).toContain(`<link>${address}</link>`);
  const sitemap = await (await request.get('/sitemap.xml')).text();
  for (const slug of slugs) expect(sitemap).toContain(`<loc>${origin}/blog/${slug}/</loc>`);
  expect(sitemap).not.toContain('blog-react');
  // the app's own page names the article's address
  await page.goto(`/blog-react/${slugs[0]}`);
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(address);
});
