/**
 * `npm run bench -- NAME` runs bench/NAME.ts, prints its measurements and ends with one line `NAME ratio=…
 * baseline=…`: the measured value relative to the named baseline, both of the same run.
 */
import '../test-support/own-fonts.ts';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { Measurement } from './support/measurement.ts';

const name = process.argv[2] ?? '';
const file = path.join(import.meta.dirname, `${name}.ts`);
if (!/^[a-z][a-z-]*$/.test(name) || name === 'run' || !existsSync(file)) {
  const names = (await readdir(import.meta.dirname))
    .filter((entry) => entry.endsWith('.ts') && !entry.endsWith('.test.ts') && entry !== 'run.ts')
    .map((entry) => entry.replace(/\.ts$/, ''));
  process.stderr.write(`Usage: npm run bench -- NAME, with NAME one of ${names.join(', ')}\n`);
  process.exit(2);
}
const { measure } = (await import(file)) as { measure: () => Promise<Measurement> };
const { ratio, baseline, details } = await measure();
for (const [what, value] of Object.entries(details)) process.stdout.write(`${what}: ${value}\n`);
process.stdout.write(`${name} ratio=${ratio.toFixed(3)} baseline=${baseline.replace(/\s+/g, '-')}\n`);
process.exit(0);
