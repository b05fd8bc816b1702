import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkArrows } from './check-arrows.ts';

// Real: the project's own rules. Made up: a small tree with one file per room.
let tree: string;

beforeEach(() => {
  tree = mkdtempSync(path.join(tmpdir(), 'arrows-'));
  write('shared/api/limits.ts', 'export const maxPages = 200;');
  write(
    'platform/env.ts',
    "import { maxPages } from '#shared/api/limits.ts';\nexport const pages = maxPages;",
  );
  write('typesetting/index.ts', "export { compile } from './compile.ts';");
  write(
    'typesetting/compile.ts',
    "import { pages } from '../platform/env.ts';\nexport const compile = pages;",
  );
  write(
    'server/conversion/index.ts',
    "import { compile } from '../../typesetting/index.ts';\nexport const convert = compile;",
  );
  write(
    'web/features/convert/desk.ts',
    "import { maxPages } from '../../../shared/api/limits.ts';\nexport const desk = maxPages;",
  );
  write('server/library/index.ts', 'export const library = 1;');
  write('server/library/shelf.ts', 'export const shelf = 1;');
  write('web/features/editor/editor.ts', 'export const editor = 1;');
});

afterEach(() => rmSync(tree, { recursive: true }));

function write(file: string, text: string) {
  mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
  writeFileSync(path.join(tree, file), `${text}\n`);
}

test('a tree that follows the arrows is clean', () => {
  expect(checkArrows(tree)).toEqual([]);
});

test.each([
  [
    'web/features/convert/planted.ts',
    "import '../../../platform/env.ts';",
    'reaches the server only over HTTP',
  ],
  [
    'server/conversion/planted.ts',
    "import '../../web/features/editor/editor.ts';",
    'does not import the browser',
  ],
  ['typesetting/planted.ts', "import '../server/conversion/index.ts';", 'Let the caller pass in'],
  ['server/conversion/planted.ts', "import '../../typesetting/compile.ts';", 'only through its index.ts'],
  ['server/conversion/planted.ts', "import '../library/shelf.ts';", 'only through its index.ts'],
  ['server/identity/planted.ts', "import '../library/index.ts';", 'may import no other feature'],
  ['server/http/planted.ts', "import '../library/index.ts';", 'is used by every feature'],
  ['proving/planted.ts', "import '../typesetting/compile.ts';", 'only through its index.ts'],
  ['platform/planted.ts', "import '../typesetting/index.ts';", 'may import shared, latex.'],
  ['shared/planted.ts', "import 'node:fs';", 'no Node module'],
  ['web/features/convert/planted.ts', "import '../editor/editor.ts';", 'Features never import each other'],
  ['web/ui/planted.ts', "import '../features/editor/editor.ts';", 'presentational'],
  // a room that has no place in the order is guarded from its first day
  ['server/brand-new/planted.ts', "import '../conversion/index.ts';", 'may import no other feature'],
])('%s with %s is refused, with the right alternative', (file, text, advice) => {
  write(file, text);
  expect(checkArrows(tree)).toEqual([
    { from: file, to: expect.any(String), advice: expect.stringContaining(advice) },
  ]);
});

test('sibling folders that import each other are reported, even through a third one', () => {
  write('latex/log/log.ts', "import '../source/scan.ts';");
  write('latex/source/scan.ts', "import '../edits/edit.ts';");
  write('latex/edits/edit.ts', "import '../../shared/api/limits.ts';");
  expect(checkArrows(tree)).toEqual([]);
  write('latex/edits/deep/undo.ts', "export type { log } from '../../log/log.ts';");
  const advice = expect.stringContaining('import each other');
  expect(checkArrows(tree)).toEqual([
    { from: 'latex/log/log.ts', to: 'latex/source/scan.ts', advice },
    { from: 'latex/source/scan.ts', to: 'latex/edits/edit.ts', advice },
    { from: 'latex/edits/deep/undo.ts', to: 'latex/log/log.ts', advice },
  ]);
});

test.each([
  ['a type', "export type { compile } from '../../typesetting/compile.ts';"],
  ['an import when called', "export const load = () => import('../../typesetting/compile.ts');"],
  ['an import through the alias', "import { compile } from '#typesetting/compile.ts';"],
])('%s counts as an import', (_name, text) => {
  write('server/conversion/planted.ts', text);
  expect(checkArrows(tree)).toHaveLength(1);
});

test('tests may import internals, and a component counts as one', () => {
  write('server/conversion/planted.test.ts', "import '../../typesetting/compile.ts';");
  write('web/features/convert/desk.tsx', 'export const Desk = () => <main className="desk">text</main>;');
  expect(checkArrows(tree)).toEqual([]);
});
