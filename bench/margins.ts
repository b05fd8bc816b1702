/**
 * How far the checks that read pictures are from another answer: each is run on its pictures shaken (margins/shake.ts),
 * drawn ones as they are drawn, those of fixtures/ in a copy of the tree, and held to what it says of the plain ones.
 * Pictures in PDFs, HEIC and files of several pictures stay as they are.
 *
 * MARGINS_FILES=test files and MARGINS_SHAKES=numbers choose among them, both separated by commas; MARGINS_TESTS=regular
 * expression chooses among the files' tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import sharp from 'sharp';
import { shake, shakes } from './margins/shake.ts';
import type { Measurement } from './measurement.ts';

const root = path.resolve(import.meta.dirname, '..');
const readers = 'server/conversion/transcribers';
const testFiles = process.env.MARGINS_FILES?.split(',') ?? [
  `${readers}/print/read-print.test.ts`,
  `${readers}/print/formulas/formulas.test.ts`,
  `${readers}/mixed/mixed-pages.test.ts`,
  `${readers}/ink/handwriting.test.ts`,
  'server/conversion/pages/find-ink-lines.test.ts',
  'server/conversion/pages/page-preparer.test.ts',
];
const parts = ['server', 'shared', 'models', 'fixtures', 'test-support', 'bench', '.native'];
const files = ['package.json', 'tsconfig.json', 'vitest.config.ts'];

interface Report {
  testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
}

export async function measure(): Promise<Measurement> {
  const folder = await mkdtemp(path.join(tmpdir(), 'inkproof-bench-margins-'));
  const chosen = process.env.MARGINS_SHAKES?.split(',').map(Number) ?? shakes.map((_, at) => at);
  const held = new Map<string, number>();
  const details: Record<string, string> = {};
  try {
    for (const part of [...parts, ...files])
      await cp(path.join(root, part), path.join(folder, part), { recursive: true });
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    for (const at of chosen) {
      await shakeFixtures(folder, at);
      for (const { fullName, status, failureMessages } of runTests(folder, at)) {
        if (status !== 'passed' && status !== 'failed') continue;
        held.set(fullName, (held.get(fullName) ?? 0) + (status === 'passed' ? 1 : 0));
        if (status === 'passed') continue;
        const what = `${fullName}, ${shakes[at]!.name}`;
        details[what] = failureMessages.join(' ').split('\n')[0]!.slice(0, 300);
        process.stderr.write(`${what}: ${details[what]}\n`);
      }
      process.stderr.write(`${shakes[at]!.name}: done\n`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  for (const [name, count] of held) if (count < chosen.length) details[name] = `${count} of ${chosen.length}`;
  const counts = [...held.values()];
  return {
    ratio: counts.reduce((sum, count) => sum + count, 0) / (counts.length * chosen.length),
    baseline: `${counts.length} checks that hold on the plain pictures`,
    details,
  };
}

/** Writes the pictures of fixtures/ into the copy, shaken, each in its own format and with its orientation. */
async function shakeFixtures(folder: string, at: number): Promise<void> {
  for (const room of ['images', 'scans'])
    for (const name of await readdir(path.join(root, 'fixtures', room))) {
      if (!/\.(?:jpg|jpeg|png|webp|avif)$/.test(name)) continue;
      const picture = await readFile(path.join(root, 'fixtures', room, name));
      const { format, orientation } = await sharp(picture).metadata();
      const shaken = sharp(await shake((other = picture) => sharp(other), shakes[at]!));
      // compressed hardly more than it is: JPEG is a shake of its own
      await shaken
        .withMetadata(orientation ? { orientation } : {})
        .toFormat(format === 'heif' ? 'avif' : format, { quality: shakes[at]!.jpegQuality ?? 95 })
        .toFile(path.join(folder, 'fixtures', room, name));
    }
}

function runTests(folder: string, at: number): Report['testResults'][number]['assertionResults'] {
  const report = path.join(folder, 'report.json');
  const loader = path.join(folder, 'bench/margins/shake-drawings.ts');
  const { stderr } = spawnSync(
    path.join(root, 'node_modules/.bin/vitest'),
    [
      ...['run', '--project', 'unit', '--retry=0', '--testTimeout=600000', '--hookTimeout=600000'],
      ...['--reporter=json', `--outputFile=${report}`, ...testFiles],
      ...(process.env.MARGINS_TESTS ? ['-t', process.env.MARGINS_TESTS] : []),
    ],
    {
      cwd: folder,
      env: { ...process.env, SHAKE: String(at), NODE_OPTIONS: `--import ${loader}` },
      encoding: 'utf8',
      maxBuffer: 100_000_000,
    },
  );
  if (!existsSync(report)) throw new Error(`the checks did not run: ${stderr.slice(-2000)}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  rmSync(report);
  return testResults.flatMap(({ assertionResults }) => assertionResults);
}
