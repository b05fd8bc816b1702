import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { quickFolders, resolveQuickly } from './quick-imports.ts';

const packages = path.join(import.meta.dirname, '../node_modules');

test.each(quickFolders)('imports between files of %s resolve by path, and are modules', (name) => {
  const folder = path.join(packages, name);
  const [owner = ''] = name.split('/');
  expect(JSON.parse(readFileSync(path.join(packages, owner, 'package.json'), 'utf8'))).toMatchObject({
    type: 'module',
  });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !file.startsWith('cjs/'),
  );
  // no nested package.json overrides it; types hold no code
  const between = files.filter((one) => path.basename(one) === 'package.json' && !one.startsWith('types/'));
  for (const one of between)
    expect(JSON.parse(readFileSync(path.join(folder, one), 'utf8')).type ?? 'module', one).toBe('module');
  let imports = 0;
  for (const file of files.filter((one) => one.endsWith('.js'))) {
    const full = path.join(folder, file);
    for (const [, specifier] of readFileSync(full, 'utf8').matchAll(/\bfrom ["'](\.[^"']+\.js)["']/g)) {
      const address = resolveQuickly(specifier!, pathToFileURL(full).href);
      expect(address?.format).toBe('module');
      expect(existsSync(fileURLToPath(address!.url)), `${file}: ${specifier}`).toBe(true);
      imports += 1;
    }
  }
  expect(imports).toBeGreaterThan(30);
});

test('rooms are where package.json says', () => {
  const { imports } = JSON.parse(readFileSync(path.join(packages, '../package.json'), 'utf8'));
  for (const [name, place] of Object.entries(imports)) expect(place).toBe(name.replace('#', './'));
  expect(resolveQuickly('#shared/api/limits.ts', import.meta.url)).toEqual({
    url: new URL('../shared/api/limits.ts', import.meta.url).href,
    format: 'module-typescript',
  });
});

test.each([
  ['pg', 'file:///a/node_modules/drizzle-orm/node-postgres/driver.js'],
  ['./driver.js', 'file:///a/node_modules/pg/lib/index.js'],
  ['./driver.cjs', 'file:///a/node_modules/drizzle-orm/index.cjs'],
  ['./driver', 'file:///a/node_modules/drizzle-orm/index.js'],
  ['./context.js', 'file:///a/node_modules/hono/dist/cjs/hono.js'],
  ['#shared/api/limits.ts', 'file:///a/somebody.ts'],
  ['./driver.js', undefined],
])('%s from %s is left to Node', (specifier, parent) => {
  expect(resolveQuickly(specifier, parent)).toBeNull();
});
