import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { resolveQuickly } from './quick-imports.ts';

const drizzle = path.join(import.meta.dirname, '../node_modules/drizzle-orm');

test('what files of Drizzle’s import from each other lies where their paths say, and is a module', () => {
  expect(JSON.parse(readFileSync(path.join(drizzle, 'package.json'), 'utf8'))).toMatchObject({
    type: 'module',
  });
  const files = readdirSync(drizzle, { recursive: true, encoding: 'utf8' });
  // nothing in between says otherwise
  expect(files.filter((name) => path.basename(name) === 'package.json')).toEqual(['package.json']);
  let imports = 0;
  for (const name of files.filter((file) => file.endsWith('.js'))) {
    const file = path.join(drizzle, name);
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/\bfrom "(\.[^"]+)"/g)) {
      const url = resolveQuickly(specifier!, pathToFileURL(file).href);
      expect(url && existsSync(fileURLToPath(url)), `${name}: ${specifier}`).toBe(true);
      imports += 1;
    }
  }
  expect(imports).toBeGreaterThan(500);
});

test.each([
  ['pg', 'file:///a/node_modules/drizzle-orm/node-postgres/driver.js'],
  ['./driver.js', 'file:///a/node_modules/pg/lib/index.js'],
  ['./driver.cjs', 'file:///a/node_modules/drizzle-orm/index.cjs'],
  ['./driver', 'file:///a/node_modules/drizzle-orm/index.js'],
  ['./driver.js', undefined],
])('%s from %s is left to Node', (specifier, parent) => {
  expect(resolveQuickly(specifier, parent)).toBeNull();
});
