/**
 * `npm run fonts:subset`: cuts the fonts for the site's own texts from the fonts' packages to `web/app/fonts/`: the
 * signs of an English page, the weights that we use, and the typographic features that the styles use. Every other
 * sign comes from the package's own files, by `unicode-range` (web/app/fonts.css). A test fails if a package has
 * changed.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import subsetFont from 'subset-font';

const folder = path.resolve(import.meta.dirname, '../../web/app/fonts');
/** Records the files that the subsets were cut from. */
const recordFile = path.join(folder, 'cut-from.json');

/** Latin letters without accents, figures, and English punctuation; also the `unicode-range` in fonts.css. */
export const subsetRange =
  'U+0020-007E, U+00A0, U+00A3, U+00A9, U+00B0-00B1, U+00B7, U+00D7, U+2013-2014, U+2018-2019, U+201C-201D, U+2022, U+2026, U+20AC, U+2192, U+2212';

/** Positioning, ligatures and contextual forms, which are on by default; and tabular figures. */
const features = [
  ...['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'calt', 'liga', 'clig', 'rlig', 'rclt', 'rvrn'],
  ...['tnum', 'lnum'],
];

interface Cut {
  /** In `web/app/fonts`, without the ending. */
  name: string;
  /** In the package @fontsource-variable/…, without the ending. */
  source: string;
  /** The lowest and highest weight to keep. */
  weights: { min: number; max: number };
}

const cuts: readonly Cut[] = [
  { name: 'inter', source: 'inter/files/inter-latin-wght-normal', weights: { min: 400, max: 700 } },
  {
    name: 'source-serif-4',
    source: 'source-serif-4/files/source-serif-4-latin-opsz-normal',
    weights: { min: 400, max: 700 },
  },
  {
    name: 'source-serif-4-italic',
    source: 'source-serif-4/files/source-serif-4-latin-opsz-italic',
    weights: { min: 400, max: 700 },
  },
  {
    name: 'jetbrains-mono',
    source: 'jetbrains-mono/files/jetbrains-mono-latin-wght-normal',
    weights: { min: 400, max: 700 },
  },
];

/** The code points of a `unicode-range`. */
export function listSigns(range: string): string {
  return range
    .split(', ')
    .flatMap((part) => {
      const [first = 0, last = first] = part
        .slice(2)
        .split('-')
        .map((code) => Number.parseInt(code, 16));
      return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
    })
    .join('');
}

function readSource({ source }: Cut): Buffer {
  return readFileSync(path.resolve('node_modules/@fontsource-variable', `${source}.woff2`));
}

/** Subsets with a hash of the range, the features and the source file. */
export function listSources(): Record<string, string> {
  return Object.fromEntries(
    cuts.map((cut) => {
      const hash = createHash('sha256').update(readSource(cut));
      hash.update(JSON.stringify([subsetRange, features, cut.weights]));
      return [cut.name, hash.digest('hex')];
    }),
  );
}

export function readRecord(): unknown {
  return JSON.parse(readFileSync(recordFile, 'utf8'));
}

async function cutAll(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const cut of cuts) {
    const source = readSource(cut);
    const subset = await subsetFont(source, listSigns(subsetRange), {
      targetFormat: 'woff2',
      variationAxes: { wght: cut.weights },
      keepFeatures: features,
      noHinting: true,
    });
    writeFileSync(path.join(folder, `${cut.name}.woff2`), subset);
    console.log(`${cut.name}: ${source.length} to ${subset.length} bytes`);
  }
  writeFileSync(recordFile, `${JSON.stringify(listSources(), null, 2)}\n`);
}

if (import.meta.main) await cutAll();
