/**
 * Chooses which of our fonts writes which part of a text. fontconfig reports what is available;
 * nothing is assumed.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fontSetup } from '../own-fonts.ts';

const run = promisify(execFile);

/** A piece of text and the font file that has all of its characters. */
export interface FontRun {
  text: string;
  fontFile: string;
}

export type FontChoice =
  | {
      kind: 'chosen';
      /** Splits a part of the text into as few fonts as possible: usually one. */
      split(part: string): FontRun[];
    }
  | { kind: 'missing'; characters: string[] };

// plain upright faces first; a text rarely needs another
const preferred = [
  ...['LiberationSans-Regular', 'DejaVuSans', 'FreeSans'],
  ...['wqy-microhei', 'FreeSerif', 'Symbola_hint'],
];
/** Characters that need no glyph: joiners, direction marks, variation selectors. */
const invisible = /[\p{Default_Ignorable_Code_Point}\s]/u;

/** Finds the fonts for a text: one for all of it if possible, otherwise one for each of its characters. */
export async function chooseFonts(text: string): Promise<FontChoice> {
  const characters = [...new Set(text)].filter((character) => !invisible.test(character));
  const whole = await findFont(characters);
  if (whole) return { kind: 'chosen', split: (part) => [{ text: part, fontFile: whole }] };
  const fonts = new Map<string, string>();
  const missing: string[] = [];
  for (const cluster of new Set(splitClusters(text))) {
    const needed = [...cluster].filter((character) => !invisible.test(character));
    const font = needed.length > 0 ? await findFont(needed) : null;
    if (font) fonts.set(cluster, font);
    else if (needed.length > 0) missing.push(cluster);
  }
  if (missing.length > 0) return { kind: 'missing', characters: missing };
  const anyFont = [...fonts.values()][0]!;
  const split = (part: string) => {
    const runs: FontRun[] = [];
    for (const cluster of splitClusters(part)) {
      const last = runs.at(-1);
      const fontFile = fonts.get(cluster) ?? last?.fontFile ?? anyFont;
      if (last?.fontFile === fontFile) last.text += cluster;
      else runs.push({ text: cluster, fontFile });
    }
    return runs;
  };
  return { kind: 'chosen', split };
}

/** What a reader sees as one character: combining marks stay with their base. */
export function splitClusters(text: string): string[] {
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  );
}

async function findFont(characters: string[]): Promise<string | null> {
  const charset = characters.map((character) => character.codePointAt(0)!.toString(16)).join(' ');
  const pattern = `:scalable=true:slant=0:weight=80${charset === '' ? '' : `:charset=${charset}`}`;
  const { stdout } = await run('fc-list', ['--format', '%{file}\n', pattern], {
    env: { ...process.env, FONTCONFIG_FILE: fontSetup },
    timeout: 60_000,
    maxBuffer: 4_000_000,
  });
  const files = stdout
    .split('\n')
    .filter((file) => /\.(?:ttf|otf|ttc)$/i.test(file))
    .sort();
  for (const name of preferred) {
    const file = files.find((candidate) => candidate.replace(/^.*\//, '').startsWith(`${name}.`));
    if (file) return file;
  }
  return files[0] ?? null;
}
