/**
 * `npm run landing:draw`: draws the before-and-after pictures of the public site. The ink is written by our own
 * synthetic hand (site/pictures/hand), the print is the LaTeX as set by the product's own typesetter; the picture for
 * link previews (Open Graph) combines both. A test fails if the LaTeX has changed and the print has not.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { createTypesetter } from '#typesetting/index.ts';
import { sheet, writeGaussian } from './hand/write-gaussian.ts';
import { writeOscillator } from './hand/write-oscillator.ts';
import { undefinedSheet, writeUndefined } from './hand/write-undefined.ts';

const features = path.resolve(import.meta.dirname, '../../web/features');
const sharedFolder = path.resolve(import.meta.dirname, '../../web/public/og');

/** A sheet that a public page shows before and after. */
export interface Sample {
  /** Contains `{name}.tex`; ink.svg and print.svg are written to it. */
  folder: string;
  name: string;
  /** The picture for link previews, in web/public/og. */
  shared: string;
  write: () => string[];
}

export const gaussian: Sample = {
  folder: path.join(features, 'landing/sample'),
  name: 'gaussian',
  shared: 'landing.png',
  write: writeGaussian,
};
export const oscillator: Sample = {
  folder: path.join(features, 'site/physics'),
  name: 'oscillator',
  shared: 'physics.png',
  write: writeOscillator,
};

/** Identifies the text that a picture was made from. */
export function hashText(latex: string): string {
  return createHash('sha256').update(latex).digest('hex').slice(0, 16);
}

export function readLatex({ folder, name } = gaussian): string {
  return readFileSync(path.join(folder, `${name}.tex`), 'utf8');
}

/** The hash of the text that the committed print was made from; null if it has none. */
export function readPrintSource({ folder } = gaussian): string | null {
  return /data-source="([0-9a-f]+)"/.exec(readFileSync(path.join(folder, 'print.svg'), 'utf8'))?.[1] ?? null;
}

/** The committed ink. */
export function readInk({ folder } = gaussian): string {
  return readFileSync(path.join(folder, 'ink.svg'), 'utf8');
}

export function drawInk({ write } = gaussian): string {
  return drawStrokes(write(), sheet);
}

/** The ink of the page that is shown for an unknown address. */
export const undefinedInk = path.resolve(features, '../app/undefined.svg');

export function drawUndefined(): string {
  return drawStrokes(writeUndefined(), undefinedSheet);
}

function drawStrokes(strokes: string[], { width, height }: { width: number; height: number }): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><title>Handwritten notes</title><path fill="none" stroke="#000" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" d="${strokes.join('')}"/></svg>\n`;
}

async function drawPrint(latex: string): Promise<string> {
  const home = mkdtempSync(path.join(tmpdir(), 'inkproof-landing-'));
  chmodSync(home, 0o755);
  const typesetter = await createTypesetter({ workDir: path.join(home, 'work'), concurrency: 1 });
  try {
    const result = await typesetter.compile({ latex, owner: 'landing' });
    if (result.kind !== 'compiled') throw new Error('The sample does not compile.');
    const pdf = path.join(home, 'print.pdf');
    writeFileSync(pdf, result.pdf);
    return execFileSync('pdftocairo', ['-svg', pdf, '-'], { encoding: 'utf8' });
  } finally {
    await typesetter.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Shortens numbers, removes line breaks, and adds the hash of the source. */
function tidy(svg: string, source: string): string {
  return `${svg
    .replace(/<\?xml[^>]*>/, '')
    .replace(/\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2))))
    .replace(/>\s+</g, '><')
    .replace(
      /<svg [^>]*>/,
      (tag) =>
        `${tag.replace('<svg ', `<svg data-source="${source}" `)}<title>The same notes, typeset</title>`,
    )
    .trim()}\n`;
}

/** 1200 × 630, the size that Open Graph recommends: the name, the ink, the print. */
async function drawSharedPicture(ink: string, print: string): Promise<Buffer> {
  const title = await drawPrint(titleLatex);
  const card = { width: 540, height: 420 };
  const frame = (fill: string, rule: string) =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${card.width}" height="${card.height}"><defs><pattern id="p" width="20" height="20" patternUnits="userSpaceOnUse"><path d="M20 0H0V20" fill="none" stroke="${rule}"/></pattern></defs><rect width="100%" height="100%" rx="14" fill="${fill}"/><rect width="100%" height="100%" rx="14" fill="url(#p)"/><rect x=".5" y=".5" width="${card.width - 1}" height="${card.height - 1}" rx="14" fill="none" stroke="#dedad2"/></svg>`,
    );
  const draw = (svg: string, width: number) =>
    sharp(Buffer.from(svg), { density: 300 }).resize({ width }).png().toBuffer();
  const [left, right, top] = [50, 610, 165];
  return sharp({ create: { width: 1200, height: 630, channels: 3, background: '#faf8f4' } })
    .composite([
      { input: await draw(title, 1100), left: 50, top: 8 },
      { input: frame('#fefdf8', '#dfe9f0'), left, top },
      { input: frame('#ffffff', '#ffffff'), left: right, top },
      { input: await draw(ink.replace('#000', '#223c8c'), card.width), left, top },
      { input: await draw(print, card.width), left: right, top },
    ])
    .png({ palette: true })
    .toBuffer();
}

/** The heading of the picture for link previews: 1100 by 140 of its pixels. */
const titleLatex = String.raw`\documentclass{article}
\usepackage[paperwidth=110mm, paperheight=14mm, margin=0mm, headheight=0pt, headsep=0pt, footskip=0pt]{geometry}
\usepackage{lmodern}
\pagestyle{empty}
\setlength{\parindent}{0pt}
\begin{document}
\null\vfill
{\fontsize{17}{17}\selectfont\bfseries Inkproof}\hfill
{\fontsize{12}{14}\selectfont Handwritten notes to \LaTeX\ that compiles}
\vfill
\end{document}
`;

async function drawSample(sample: Sample): Promise<void> {
  const ink = drawInk(sample);
  writeFileSync(path.join(sample.folder, 'ink.svg'), ink);
  const latex = readLatex(sample);
  const print = tidy(await drawPrint(latex), hashText(latex));
  writeFileSync(path.join(sample.folder, 'print.svg'), print);
  writeFileSync(path.join(sharedFolder, sample.shared), await drawSharedPicture(ink, print));
}

if (import.meta.main) {
  mkdirSync(sharedFolder, { recursive: true });
  for (const sample of [gaussian, oscillator]) await drawSample(sample);
  writeFileSync(undefinedInk, drawUndefined());
}
