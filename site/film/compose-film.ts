/**
 * Turns a recording into a film: every picture for as long as it was shown, cropped to the current view, with the
 * pointer on top.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import sharp, { type OverlayOptions } from 'sharp';
import type { Box, Point, Recording } from './camera.ts';
import { ease, easeBetween } from './ease.ts';

export const filmSize = { width: 1280, height: 800 };
const framesPerSecond = 30;
/** How long a press is shown, ms. */
const ringMs = 420;
const pointerSize = 40;
const ringSize = 64;

/**
 * Writes a silent H.264 film that can be played before it has loaded completely. Its last picture is held to fill up
 * the last second.
 * @returns its length in seconds
 * @throws Error if ffmpeg is missing or fails
 */
export async function composeFilm(recording: Recording, file: string): Promise<number> {
  const seconds = Math.ceil(recording.lengthMs / 1000);
  const encoder = startEncoder(file);
  const ended = new Promise<number | null>((resolve, reject) => {
    encoder.once('error', () => reject(new Error('ffmpeg is needed: apt-get install ffmpeg')));
    encoder.once('close', resolve);
  });
  const draw = createPainter(recording);
  for (let index = 0; index < seconds * framesPerSecond; index++) {
    const picture = await draw((index * 1000) / framesPerSecond);
    const input = encoder.stdin;
    if (!input) throw new Error('ffmpeg takes no pictures.');
    if (!input.write(picture)) await Promise.race([once(input, 'drain'), ended]);
  }
  encoder.stdin?.end();
  if ((await ended) !== 0) throw new Error('ffmpeg failed.');
  return seconds;
}

/** @returns the picture of one moment, as a PNG in the film's size */
export async function drawMoment(recording: Recording, atMs: number): Promise<Buffer> {
  const raw = await createPainter(recording)(atMs);
  return sharp(raw, { raw: { ...filmSize, channels: 3 } })
    .png()
    .toBuffer();
}

function startEncoder(file: string): ChildProcess {
  const { width, height } = filmSize;
  const input = `-f rawvideo -pix_fmt rgb24 -s ${width}x${height} -r ${framesPerSecond} -i -`;
  const colours =
    '-vf scale=out_color_matrix=bt709:out_range=tv,format=yuv420p -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv';
  // a keyframe every 10 s: seeking stays quick, and each costs some 40 KB
  const coding = `-c:v libx264 -preset slow -tune animation -crf 29 -profile:v high -g ${10 * framesPerSecond}`;
  const form = '-movflags +faststart -map_metadata -1 -fflags +bitexact -flags:v +bitexact -an';
  const words = `-hide_banner -loglevel error -y ${input} ${colours} ${coding} ${form}`.split(' ');
  return spawn('ffmpeg', [...words, file], { stdio: ['pipe', 'inherit', 'inherit'] });
}

type Painter = (atMs: number) => Promise<Buffer>;

/** Moments must be requested in order; unchanged pictures are not drawn again. */
function createPainter(recording: Recording): Painter {
  const { frames, size } = recording;
  let known = { key: '', picture: Buffer.alloc(0) };
  let screen = { index: -1, width: 0, height: 0, data: Buffer.alloc(0) };
  return async (atMs) => {
    const index = Math.max(
      0,
      frames.findLastIndex((frame) => frame.atMs <= atMs),
    );
    const frame = frames[index];
    if (!frame) throw new Error('Nothing was recorded.');
    const box = findView(recording, atMs);
    const pointer = findPointer(recording, atMs);
    const ring = findRing(recording, atMs);
    const key = JSON.stringify([index, box, pointer, ring]);
    if (key === known.key) return known.picture;
    if (index !== screen.index) {
      const { data, info } = await sharp(frame.jpeg)
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      screen = { index, width: info.width, height: info.height, data };
    }
    const density = screen.width / size.width;
    const left = Math.round(box.x * density);
    const top = Math.round(box.y * density);
    const scale = filmSize.width / box.width;
    const picture = await sharp(screen.data, {
      raw: { width: screen.width, height: screen.height, channels: 3 },
    })
      .extract({
        left,
        top,
        width: Math.min(screen.width - left, Math.round(box.width * density)),
        height: Math.min(screen.height - top, Math.round(box.height * density)),
      })
      .resize({ ...filmSize, fit: 'fill' })
      .composite(await drawPointer({ x: (pointer.x - box.x) * scale, y: (pointer.y - box.y) * scale }, ring))
      .removeAlpha()
      .raw()
      .toBuffer();
    known = { key, picture };
    return picture;
  };
}

/** In the film's aspect ratio, within the page. */
function findView({ size, views }: Recording, atMs: number): Box {
  let box: Box = { x: 0, y: 0, ...size };
  for (const view of views) {
    if (view.fromMs > atMs) break;
    const target = fitView(view.box, size);
    const share = ease((atMs - view.fromMs) / (view.toMs - view.fromMs));
    const mix = (from: number, to: number) => from + (to - from) * share;
    box = {
      x: mix(box.x, target.x),
      y: mix(box.y, target.y),
      width: mix(box.width, target.width),
      height: mix(box.height, target.height),
    };
  }
  return box;
}

/** The smallest part of the page that contains the box and has the film's aspect ratio. */
function fitView(box: Box, size: { width: number; height: number }): Box {
  const shape = filmSize.width / filmSize.height;
  const width = Math.min(size.width, Math.max(box.width, box.height * shape));
  const height = Math.min(size.height, width / shape);
  const keep = (at: number, length: number, whole: number) => Math.max(0, Math.min(whole - length, at));
  return {
    x: keep(box.x + (box.width - width) / 2, width, size.width),
    y: keep(box.y + (box.height - height) / 2, height, size.height),
    width,
    height,
  };
}

function findPointer({ ways }: Recording, atMs: number): Point {
  const way = ways.findLast(({ fromMs }) => fromMs <= atMs) ?? ways[0];
  if (!way) return { x: -pointerSize, y: -pointerSize };
  return easeBetween(way.from, way.to, (atMs - way.fromMs) / (way.toMs - way.fromMs));
}

/** How far a press has faded, 0 … 1; null if none is shown. */
function findRing({ presses }: Recording, atMs: number): number | null {
  const press = presses.findLast((at) => at <= atMs);
  return press === undefined || atMs - press > ringMs ? null : (atMs - press) / ringMs;
}

async function drawPointer({ x, y }: Point, ring: number | null): Promise<OverlayOptions[]> {
  const layers: OverlayOptions[] = [];
  const place = (svg: string, size: number, left: number, top: number) => {
    const isOut = left <= -size || top <= -size || left >= filmSize.width || top >= filmSize.height;
    if (!isOut) layers.push({ input: Buffer.from(svg), left: Math.round(left), top: Math.round(top) });
  };
  if (ring !== null) {
    const radius = 8 + 20 * ease(ring);
    const opacity = (0.5 * (1 - ring)).toFixed(3);
    place(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${ringSize}" height="${ringSize}"><circle cx="32" cy="32" r="${radius.toFixed(2)}" fill="none" stroke="#223c8c" stroke-width="3" opacity="${opacity}"/></svg>`,
      ringSize,
      x - ringSize / 2,
      y - ringSize / 2,
    );
  }
  place(pointerPicture, pointerSize, x - 4, y - 3);
  return layers;
}

/** An arrow whose tip is at (4, 3). */
const pointerPicture = `<svg xmlns="http://www.w3.org/2000/svg" width="${pointerSize}" height="${pointerSize}"><path d="M4 3L4 27L10.2 21.4L14.4 31L19 29L14.9 19.7L23 19.2Z" fill="#141a2e" stroke="#fff" stroke-width="2" stroke-linejoin="round"/></svg>`;
