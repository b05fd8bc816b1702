/**
 * `npm run icons:draw`: draws the logo for browsers, phones and home screens from its one outline
 * (web/ui/mark-path.ts) to web/public. A test fails if the outline has changed and the icons have not.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { markPath } from '#web/ui/mark-path.ts';

const folder = path.resolve(import.meta.dirname, '../../web/public');
/** Paper and ink of the light colours (web/app/app.css), as sRGB. */
const [paper, ink, chalk] = ['#faf8f4', '#1b2340', '#f0ede6'];

/** For tabs: dark ink, or light in dark mode, on a transparent background. */
export function drawFavicon(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Inkproof</title><style>path{fill:${ink}}@media (prefers-color-scheme:dark){path{fill:${chalk}}}</style><path d="${markPath}"/></svg>\n`;
}

export function readFavicon(): string {
  return readFileSync(path.join(folder, 'favicon.svg'), 'utf8');
}

/** For home screens, which crop the corners: the logo within the middle 60 %, on paper. */
export function drawTile(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 52 52"><rect x="-10" y="-10" width="52" height="52" fill="${paper}"/><path fill="${ink}" d="${markPath}"/></svg>`;
}

async function drawIcons(): Promise<void> {
  writeFileSync(path.join(folder, 'favicon.svg'), drawFavicon());
  const tiles: [file: string, size: number][] = [
    ['apple-touch-icon.png', 180],
    ['icon-192.png', 192],
    ['icon-512.png', 512],
  ];
  for (const [file, size] of tiles)
    await sharp(Buffer.from(drawTile()), { density: (72 * size) / 52 })
      .resize(size, size)
      .png({ palette: true })
      .toFile(path.join(folder, file));
}

if (import.meta.main) await drawIcons();
