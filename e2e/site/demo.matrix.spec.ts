/** The film on the front page: available to everybody, silent until started, and described accurately. */
import type { Page } from '@playwright/test';
import { visitor } from '../support/product/accounts.ts';
import { expect, test } from '../support/test.ts';

test.use(visitor);

const film = (page: Page) => page.locator('section[aria-labelledby="demo"] video');

interface VideoObject {
  name: string;
  thumbnailUrl: string[];
  uploadDate: string;
  /** ISO 8601, whole seconds. */
  duration: string;
  contentUrl: string;
  width: number;
  height: number;
}

async function readVideoObject(page: Page): Promise<VideoObject> {
  const blocks = await page.locator('script[type="application/ld+json"]').allTextContents();
  const found = blocks.map((text) => JSON.parse(text)).filter((thing) => thing['@type'] === 'VideoObject');
  expect(found).toHaveLength(1);
  return found[0];
}

test('the film plays when pressed, with captions, and is as long as its metadata say [§1 A demo video with structured-data metadata]', async ({
  page,
}) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  expect(requested.filter((address) => address.endsWith('.mp4'))).toEqual([]);

  await page.getByRole('link', { name: /^Watch \d+ seconds$/ }).click();
  await expect(page.getByRole('heading', { name: 'See it in action' })).toBeInViewport();
  const video = film(page);
  expect(await video.evaluate((element: HTMLVideoElement) => element.paused)).toBe(true);
  const place = () => video.evaluate((element: HTMLVideoElement) => element.currentTime);
  // its own controls, by keyboard; repeated if the press coincided with the app's start
  await expect(async () => {
    if (await video.evaluate((element: HTMLVideoElement) => element.paused)) {
      await video.focus();
      await page.keyboard.press('Space');
    }
    await expect.poll(place, { timeout: 5000 }).toBeGreaterThan(1);
  }).toPass();

  const metadata = await readVideoObject(page);
  const shown = await video.evaluate((element: HTMLVideoElement) => ({
    seconds: element.duration,
    width: element.videoWidth,
    height: element.videoHeight,
    source: element.currentSrc,
    error: element.error?.message ?? null,
  }));
  expect(shown.error).toBeNull();
  expect(`PT${Math.round(shown.seconds)}S`).toBe(metadata.duration);
  expect(Math.abs(shown.seconds - Math.round(shown.seconds))).toBeLessThan(0.1);
  expect(shown).toMatchObject({
    width: metadata.width,
    height: metadata.height,
    source: metadata.contentUrl,
  });
  expect(new Date(metadata.uploadDate).getTime()).toBeLessThan(Date.now());

  const captions = await video.evaluate((element: HTMLVideoElement) => {
    const track = element.textTracks[0];
    return {
      mode: track?.mode,
      lines: [...(track?.cues ?? [])].map((cue) => (cue as VTTCue).text),
      ends: Math.max(...[...(track?.cues ?? [])].map((cue) => cue.endTime)),
    };
  });
  expect(captions.mode).toBe('showing');
  expect(captions.ends).toBeLessThanOrEqual(shown.seconds);
  // those who cannot see it can read the same
  await page.getByText('Transcript of the film').click();
  await expect(page.locator('section[aria-labelledby="demo"] li')).toHaveText(captions.lines);
});

test('the film, its poster and its captions have their content types, and the film can be fetched in ranges', async ({
  page,
}) => {
  await page.goto('/');
  const { contentUrl, thumbnailUrl } = await readVideoObject(page);
  const part = await page.request.get(contentUrl, { headers: { Range: 'bytes=100-199' } });
  expect(part.status()).toBe(206);
  expect(part.headers()['content-type']).toBe('video/mp4');
  expect((await part.body()).length).toBe(100);
  const picture = await page.request.get(thumbnailUrl[0]!);
  expect(picture.headers()['content-type']).toBe('image/webp');
  const track = await film(page).locator('track').getAttribute('src');
  const captions = await page.request.get(track!);
  expect(captions.headers()['content-type']).toBe('text/vtt; charset=utf-8');
  const sitemap = await (await page.request.get('/sitemap.xml')).text();
  expect(sitemap).toContain(`<video:content_loc>${contentUrl}</video:content_loc>`);
});

test('the film needs no script, and only the front page has it', async ({ browser, page }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const still = await context.newPage();
  await still.goto('/');
  await expect(film(still)).toHaveAttribute('controls');
  // loaded when it is played, and not before
  const fetched = still.waitForResponse(/\.mp4$/);
  await film(still).focus();
  await still.keyboard.press('Space');
  expect((await fetched).ok()).toBe(true);
  await context.close();
  await page.goto('/physics-notes-to-latex');
  await expect(film(page)).toHaveCount(0);
});
