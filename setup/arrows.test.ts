import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

// Real: dependency-cruiser with the project's own rules. Made up: a small tree with one file a room.
const root = path.resolve(import.meta.dirname, '..');
let tree: string;

beforeEach(() => {
  tree = mkdtempSync(path.join(tmpdir(), 'arrows-'));
  cpSync(path.join(root, '.dependency-cruiser.mjs'), path.join(tree, '.dependency-cruiser.mjs'));
  symlinkSync(path.join(root, 'node_modules'), path.join(tree, 'node_modules'));
  write(
    'package.json',
    JSON.stringify({ type: 'module', imports: { '#server/*': './server/*', '#shared/*': './shared/*' } }),
  );
  write('shared/api/limits.ts', 'export const maxPages = 200;');
  write(
    'server/platform/env.ts',
    "import { maxPages } from '#shared/api/limits.ts';\nexport const pages = maxPages;",
  );
  write('server/typesetting/index.ts', "export { compile } from './compile.ts';");
  write(
    'server/typesetting/compile.ts',
    "import { pages } from '../platform/env.ts';\nexport const compile = pages;",
  );
  write(
    'server/conversion/index.ts',
    "import { compile } from '../typesetting/index.ts';\nexport const convert = compile;",
  );
  write(
    'web/features/convert/desk.ts',
    "import { maxPages } from '../../../shared/api/limits.ts';\nexport const desk = maxPages;",
  );
  write('web/features/editor/editor.ts', 'export const editor = 1;');
});

afterEach(() => rmSync(tree, { recursive: true }));

function write(file: string, text: string) {
  mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
  writeFileSync(path.join(tree, file), `${text}\n`);
}

function cruise(): { isClean: boolean; report: string } {
  const program = path.join(root, 'node_modules/.bin/depcruise');
  try {
    const report = execFileSync(
      process.execPath,
      [program, '--output-type', 'err-long', 'server', 'shared', 'web'],
      {
        cwd: tree,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    return { isClean: true, report };
  } catch (error) {
    return { isClean: false, report: String((error as { stdout?: string }).stdout) };
  }
}

test('a tree that follows the arrows is clean', () => {
  const { isClean, report } = cruise();
  expect(report).toContain('no dependency violations');
  expect(isClean).toBe(true);
});

test.each([
  [
    'web/features/convert/planted.ts',
    "import '../../../server/platform/env.ts';",
    'speaks to the server over HTTP alone',
  ],
  [
    'server/conversion/planted.ts',
    "import '../../web/features/editor/editor.ts';",
    'knows nothing of the browser',
  ],
  ['server/typesetting/planted.ts', "import '../conversion/index.ts';", 'may import no other feature'],
  ['server/conversion/planted.ts', "import '../typesetting/compile.ts';", 'through its index.ts alone'],
  ['server/platform/planted.ts', "import '../typesetting/index.ts';", 'what every feature stands on'],
  ['shared/planted.ts', "import 'node:fs';", 'no Node module'],
  ['web/features/convert/planted.ts', "import '../editor/editor.ts';", 'Features never import each other'],
  ['web/ui/planted.ts', "import '../features/editor/editor.ts';", 'presentational'],
  // a room nobody placed in the order is guarded from its first day
  ['server/brand-new/planted.ts', "import '../conversion/index.ts';", 'may import no other feature'],
])('%s with %s is refused, with the way that is right', (file, text, advice) => {
  write(file, text);
  const { isClean, report } = cruise();
  expect(isClean).toBe(false);
  expect(report.replace(/\s+/g, ' ')).toContain(advice);
});
