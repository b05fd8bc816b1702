/**
 * How stable the checks that read pictures are: each is run on slightly changed pictures (margins/shake.ts),
 * and its answer compared with that for the originals. Generated drawings are changed as they are drawn, those
 * of fixtures/ in a copy of the tree. Pages of PDFs are only moved and scaled; HEIC and files of several
 * pictures stay unchanged.
 *
 * MARGINS_FILES=test files or folders and MARGINS_SHAKES=numbers restrict it, both separated by commas;
 * MARGINS_TESTS=regular expression restricts it to matching tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import sharp from 'sharp';
import { rooms } from '../setup/checks/rooms.ts';
import { type Shake, shakePdf, shakePicture, shakes } from './margins/shake.ts';
import type { Measurement } from './measurement.ts';

const root = path.resolve(import.meta.dirname, '..');
const readers = 'reading';
const testFiles = process.env.MARGINS_FILES?.split(',') ?? [
  `${readers}/print/`,
  `${readers}/mixed/mixed-pages`,
  `${readers}/ink/handwriting`,
  'reading/pages/',
  'reading/positions/place-page',
];
const parts = [...rooms, 'fixtures', '.native'];
const files = ['package.json', 'tsconfig.json', 'vitest.config.ts'];

interface Report {
  testResults: {
    name: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

interface Answer {
  /** `file: test`. */
  name: string;
  holds: boolean;
  why: string;
}

export async function measure(): Promise<Measurement> {
  const folder = await mkdtemp(path.join(tmpdir(), 'inkproof-bench-margins-'));
  const chosen = process.env.MARGINS_SHAKES?.split(',').map(Number) ?? shakes.map((_, at) => at);
  const flips = new Map<string, string[]>();
  try {
    for (const part of [...parts, ...files])
      await cp(path.join(root, part), path.join(folder, part), { recursive: true });
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    for (const at of chosen) {
      const by = shakes[at]!;
      await shakeFixtures(folder, by);
      for (const { name, holds, why } of runTests(folder, at)) {
        const own = flips.get(name) ?? [];
        flips.set(name, holds ? own : [...own, by.name]);
        if (!holds) process.stderr.write(`${name}, ${by.name}: ${why}\n`);
      }
      process.stderr.write(`${by.name}: done\n`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const details: Record<string, string> = {};
  for (const [name, at] of [...flips].sort(([a], [b]) => a.localeCompare(b)))
    details[name] =
      `${chosen.length - at.length} of ${chosen.length}${at.length ? `, not ${at.join(', ')}` : ''}`;
  const held = [...flips.values()].reduce((sum, by) => sum + chosen.length - by.length, 0);
  return {
    ratio: held / (flips.size * chosen.length),
    baseline: `${flips.size} checks that hold on the plain pictures`,
    details,
  };
}

/** Writes the changed pictures and PDFs of fixtures/ into the copy, each in its own format. */
async function shakeFixtures(folder: string, by: Shake): Promise<void> {
  for (const room of ['images', 'scans', 'pdf'])
    for (const name of await readdir(path.join(root, 'fixtures', room))) {
      const copy = path.join(folder, 'fixtures', room, name);
      const original = () => readFile(path.join(root, 'fixtures', room, name));
      if (name.endsWith('.pdf')) await writeFile(copy, await shakePdf(await original(), by));
      if (!/\.(?:jpg|jpeg|png|webp|avif)$/.test(name)) continue;
      const picture = await original();
      const { format, exif } = await sharp(picture).metadata();
      // hardly more compressed than before: JPEG compression is a separate change
      const shaken = await sharp(await shakePicture(picture, by))
        .toFormat(format === 'heif' ? 'avif' : format, { quality: by.jpegQuality ?? 95 })
        .toBuffer();
      await writeFile(copy, exif && format === 'jpeg' ? withExif(shaken, exif) : shaken);
    }
}

/** A JPEG with another's metadata, above all its orientation. */
function withExif(jpeg: Buffer, exif: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}

/** @returns why each check no longer holds, or that it does */
function runTests(folder: string, at: number): Answer[] {
  const report = path.join(folder, 'report.json');
  const loader = path.join(folder, 'bench/margins/shake-drawings.ts');
  const { stderr } = spawnSync(
    path.join(root, 'node_modules/.bin/vitest'),
    [
      ...['run', '--project', 'unit', '--retry=0', '--testTimeout=1800000', '--hookTimeout=1800000'],
      ...['--reporter=json', `--outputFile=${report}`, ...testFiles],
      ...(process.env.MARGINS_TESTS ? ['-t', process.env.MARGINS_TESTS] : []),
    ],
    {
      cwd: folder,
      env: {
        CHECKS_WHOLE: 'reading',
        ...process.env,
        SHAKE: String(at),
        NODE_OPTIONS: `--import ${loader}`,
      },
      encoding: 'utf8',
      maxBuffer: 100_000_000,
    },
  );
  if (!existsSync(report)) throw new Error(`the checks did not run: ${stderr.slice(-2000)}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  rmSync(report);
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, failureMessages }) => ({
        name: `${path.basename(file)}: ${fullName}`,
        holds: status === 'passed',
        why: failureMessages.join(' ').split('\n')[0]!.slice(0, 300),
      })),
  );
}
