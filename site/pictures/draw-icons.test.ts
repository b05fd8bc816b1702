import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { drawFavicon, drawTile, readFavicon } from './draw-icons.ts';

const folder = 'web/public';

test('the icons show the current mark', async () => {
  expect(readFavicon()).toBe(drawFavicon());
  const drawn = await sharp(Buffer.from(drawTile()), { density: (72 * 180) / 52 })
    .resize(180, 180)
    .raw()
    .toBuffer();
  const stored = await sharp(path.join(folder, 'apple-touch-icon.png')).removeAlpha().raw().toBuffer();
  const now = await sharp(drawn, { raw: { width: 180, height: 180, channels: 4 } })
    .removeAlpha()
    .raw()
    .toBuffer();
  // palette colours may differ by a few steps
  expect(Math.max(...now.map((value, at) => Math.abs(value - stored[at]!)))).toBeLessThan(32);
});

test('the manifest’s icons exist, in the stated sizes', async () => {
  const manifest = z
    .object({ icons: z.array(z.object({ src: z.string(), sizes: z.string() })) })
    .parse(JSON.parse(readFileSync(path.join(folder, 'site.webmanifest'), 'utf8')));
  for (const { src, sizes } of manifest.icons) {
    const file = path.join(folder, src);
    expect(existsSync(file)).toBe(true);
    if (sizes === 'any') continue;
    const { width, height } = await sharp(file).metadata();
    expect(`${width}x${height}`).toBe(sizes);
  }
});
