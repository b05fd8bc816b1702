/** Small changes of a picture that leave what it says alone: each is what another machine, scanner or day might do. */
import type { Sharp } from 'sharp';

interface Shake {
  name: string;
  /** Pixels to the right and down. */
  shift?: number;
  scale?: number;
  degrees?: number;
  /** Levels become `share` of what they were: 0.98 is darker paper. */
  share?: number;
  /** Levels are lifted by so many: paler ink. */
  lift?: number;
  /** Standard deviation in pixels. */
  blur?: number;
  jpegQuality?: number;
}

export const shakes: readonly Shake[] = [
  { name: 'moved by a pixel', shift: 1 },
  { name: '1 % larger', scale: 1.01 },
  { name: '1 % smaller', scale: 0.99 },
  { name: 'turned by 0.2 degrees', degrees: 0.2 },
  { name: '2 % darker', share: 0.98 },
  { name: '2 % paler', lift: 5 },
  { name: 'JPEG at 75', jpegQuality: 75 },
  { name: 'softer, moved by 3 pixels, 0.5 % larger', blur: 0.5, shift: 3, scale: 1.005 },
];

/** The picture shaken, as large as it was; pixels that come in at the sides are like their neighbours. */
export async function shake(open: (picture?: Uint8Array) => Sharp, by: Shake): Promise<Buffer> {
  const { width, height } = await open().metadata();
  const { shift = 0, scale = 1, degrees = 0, share = 1, lift = 0, blur = 0 } = by;
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const room = 40 + Math.round(0.02 * Math.max(width, height));
  let png = await open()
    .resize({ ...size, fit: 'fill' })
    .png()
    .toBuffer();
  png = await open(png)
    .extend({ top: room, bottom: room, left: room, right: room, extendWith: 'copy' })
    .png()
    .toBuffer();
  if (degrees !== 0) png = await open(png).rotate(degrees, { background: '#fff' }).png().toBuffer();
  const now = await open(png).metadata();
  const left = Math.round((now.width - width) / 2) - shift;
  const top = Math.round((now.height - height) / 2) - shift;
  let cut = open(await open(png).extract({ left, top, width, height }).png().toBuffer());
  if (share !== 1 || lift !== 0) cut = cut.linear(share * (1 - lift / 255), lift);
  if (blur !== 0) cut = cut.blur(blur);
  const shaken = await cut.png().toBuffer();
  return by.jpegQuality ? await open(shaken).jpeg({ quality: by.jpegQuality }).toBuffer() : shaken;
}
