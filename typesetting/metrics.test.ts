/** What an operator sees of the typesetter after real compiles. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, expect, test } from 'vitest';
import { createTypesetter } from './index.ts';

const home = mkdtempSync(path.join(tmpdir(), 'inkproof-metrics-'));
chmodSync(home, 0o755);
afterAll(() => rmSync(home, { recursive: true, force: true }));

test('compiles, cached answers, shared compiles and warm engines are counted', async () => {
  const registry = new Registry();
  const workDir = path.join(home, 'work');
  const typesetter = await createTypesetter({ workDir, concurrency: 2, metrics: registry });
  const compile = (text: string) =>
    typesetter.compile({
      latex: `\\documentclass{article}\n\\begin{document}\n${text}\n\\end{document}\n`,
      owner: 'a',
    });
  const sum = async (name: string, labels: Record<string, string> = {}) => {
    const { values } = await registry.getSingleMetric(name)!.get();
    return values
      .filter((value) =>
        Object.entries(labels).every(
          ([label, expected]) => value.labels[label as keyof typeof value.labels] === expected,
        ),
      )
      .reduce((total, { value }) => total + value, 0);
  };
  await Promise.all([compile('one'), compile('one')]);
  await compile('one');
  await compile('one two');
  expect(await sum('inkproof_compiles_total', { outcome: 'compiled' })).toBe(2);
  expect(await sum('inkproof_compiles_spared_total', { how: 'shared' })).toBe(1);
  expect(await sum('inkproof_compiles_spared_total', { how: 'cached' })).toBe(1);
  expect(await sum('inkproof_compiles_running')).toBe(0);
  const metrics = await registry.metrics();
  expect(metrics).toContain('inkproof_compile_wait_seconds_count 2');
  // the default here is warm if its library was built
  if (metrics.includes('inkproof_engines_alive')) {
    expect(await sum('inkproof_compile_starts_total')).toBe(2);
    expect(await sum('inkproof_engines_alive')).toBeGreaterThan(0);
    expect(await sum('inkproof_engine_memory_bytes')).toBeGreaterThan(1_000_000);
  }
  await typesetter.close();
});
