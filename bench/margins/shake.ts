/** Small changes of a picture that leave its content alone, such as another machine, scanner or day might cause. */
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp, { type Sharp } from 'sharp';

export interface Shake {
  name: string;
  /** Pixels to the right and down. */
  shift?: number;
  scale?: number;
  degrees?: number;
  /** Levels become this share of what they were: 0.97 is darker paper. */
  share?: number;
  /** Levels are raised by this much: paler ink. */
  lift?: number;
  /** Standard deviation in pixels. */
  blur?: number;
  /** Standard deviation in levels. */
  noise?: number;
  jpegQuality?: number;
}

export const shakes: readonly Shake[] = [
  { name: 'moved by half a pixel', shift: 0.5 },
  { name: '1 % larger', scale: 1.01 },
  { name: '1 % smaller', scale: 0.99 },
  { name: 'turned by 0.3 degrees', degrees: 0.3 },
  { name: '3 % darker', share: 0.97 },
  { name: '3 % paler', lift: 8 },
  { name: 'JPEG at 85', jpegQuality: 85 },
  { name: 'noise of 2 levels', noise: 2 },
  { name: 'softer, moved by 3 pixels, 0.5 % larger', blur: 0.5, shift: 3, scale: 1.005 },
];

/** The changed picture, in the same size; pixels that enter at the sides are like their neighbours. */
export async function shakePicture(picture: Uint8Array, by: Shake): Promise<Buffer> {
  const { share = 1, lift = 0, blur = 0, noise = 0 } = by;
  let shaken = await move(picture, by);
  if (share !== 1 || lift !== 0) shaken = await keep(sharp(shaken).linear(share * (1 - lift / 255), lift));
  if (blur !== 0) shaken = await keep(sharp(shaken).blur(blur));
  if (noise !== 0) shaken = await addNoise(shaken, noise);
  return by.jpegQuality
    ? await sharp(shaken).jpeg({ quality: by.jpegQuality }).toBuffer()
    : await keep(sharp(shaken));
}

async function move(picture: Uint8Array, { shift = 0, scale = 1, degrees = 0 }: Shake): Promise<Uint8Array> {
  if (shift === 0 && scale === 1 && degrees === 0) return picture;
  const { width, height } = await sharp(picture).metadata();
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const room = 40 + Math.round(0.02 * Math.max(width, height));
  const whole = Math.floor(shift);
  const part = shift - whole;
  let moved = await keep(sharp(picture).resize({ ...size, fit: 'fill' }));
  moved = await keep(
    sharp(moved).extend({ top: room, bottom: room, left: room, right: room, extendWith: 'copy' }),
  );
  if (degrees !== 0) moved = await keep(sharp(moved).rotate(degrees, { background: '#fff' }));
  const now = await sharp(moved).metadata();
  if (part !== 0) moved = await keep(sharp(moved).affine([1, 0, 0, 1], { odx: part, ody: part }));
  const left = Math.round((now.width - width) / 2) - whole;
  const top = Math.round((now.height - height) / 2) - whole;
  return await keep(sharp(moved).extract({ left, top, width, height }));
}

/** For the next step, which does not need a small file. */
const keep = (picture: Sharp) => picture.png({ compressionLevel: 1, adaptiveFiltering: false }).toBuffer();

/** Moves and scales its pages as given; a pixel is about half a point. */
export async function shakePdf(
  pdf: Uint8Array,
  { shift = 0, scale = 1 }: Pick<Shake, 'shift' | 'scale'>,
): Promise<Uint8Array> {
  if (shift === 0 && scale === 1) return pdf;
  const document = await PDFDocument.load(pdf);
  for (const page of document.getPages()) {
    page.scaleContent(scale, scale);
    page.translateContent(shift / 2, -shift / 2);
  }
  return await document.save();
}

/** Noise that is the same in every colour channel and at every run. */
async function addNoise(picture: Uint8Array, deviation: number): Promise<Buffer> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const colours = channels > 2 ? 3 : 1;
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed + 0.5) / 2 ** 32;
  };
  for (let at = 0; at < data.length; at += channels) {
    const change = deviation * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    for (let colour = at; colour < at + colours; colour++)
      data[colour] = Math.min(255, Math.max(0, Math.round(data[colour]! + change)));
  }
  return await keep(sharp(data, { raw: { width, height, channels } }));
}
