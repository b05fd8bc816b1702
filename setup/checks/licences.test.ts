import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { describePackage, listShippedPackages, noticesFile } from '../write-notices.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { license?: string; dev?: true }>;
};

/** Licences that require only attribution. */
const permissive = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSD',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
  'AFL-2.1',
];
/** Licences that require publishing changes to their own files, but nothing else. */
const byFile = ['MPL-2.0', 'MPL-1.1'];
/** Replaceable libraries: sharp's libvips, which is loaded, and libheif, which is WebAssembly in a file. */
const replaceable = { licences: ['LGPL-3.0', 'LGPL-3.0-or-later'], packages: /\/(@img\/sharp-|libheif-js$)/ };
/** Packages that state their licence outside package.json, or are programs of a package that does. */
const unnamed =
  /\/(busboy|streamsearch)$|\/@[\w-]+\/[\w.-]+-(android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|aix|win32|wasm32)/;

/** Of alternatives, any one will do; of a conjunction, all are needed. */
function isFine(licence: string, name: string): boolean {
  const words = licence.replace(/[()]/g, '');
  if (words.includes(' OR ')) return words.split(' OR ').some((one) => isFine(one, name));
  return words
    .split(' AND ')
    .every(
      (one) =>
        permissive.includes(one) ||
        byFile.includes(one) ||
        (replaceable.licences.includes(one) && replaceable.packages.test(name)),
    );
}

test('no licence of a package of the product or the checks requires more than attribution or replaceability', () => {
  const listed = Object.entries(packages).filter(([name]) => name !== '');
  const faults = listed
    .filter(([name, { license }]) => (license === undefined ? !unnamed.test(name) : !isFine(license, name)))
    .map(([name, { license }]) => `${name}: ${license ?? 'none named'}`);
  expect(faults).toEqual([]);
  expect(listed.length).toBeGreaterThan(400);
});

test.each([
  'AGPL-3.0-only',
  'GPL-3.0',
  'SSPL-1.0',
  'BUSL-1.1',
  'MIT AND GPL-2.0',
  'CC-BY-NC-4.0',
  'LGPL-3.0',
])('a package under %s would be named', (licence) => {
  expect(isFine(licence, 'node_modules/some-package')).toBe(false);
});

test('THIRD_PARTY_NOTICES lists every shipped package with its version (npm run notices:write)', () => {
  const lines = new Set(readFileSync(noticesFile, 'utf8').split('\n'));
  const shipped = listShippedPackages();
  expect(shipped.map(describePackage).filter((line) => !lines.has(line))).toEqual([]);
  // development dependencies are not included
  expect(shipped.map(({ name }) => name)).not.toContain('vitest');
  expect(shipped.length).toBeGreaterThan(200);
});
