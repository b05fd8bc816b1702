import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { differences, notShown, notTried, rows } from '../e2e/specification/rows.ts';
import {
  listFlows,
  listRowNames,
  readRows,
  renderSpecification,
  specificationFile,
} from './write-specification.ts';

const root = path.resolve(import.meta.dirname, '..');
const flows = listFlows();
const shown = new Set(flows.flatMap((flow) => flow.rows));

test('every row is shown by a flow, or says why it is not', () => {
  const unshown = Object.entries(rows).flatMap(([section, list]) =>
    list
      .filter(([, name, reason]) => (reason === undefined) !== shown.has(`§${section} ${name}`))
      .map(([, name]) => `§${section} ${name}`),
  );
  expect(unshown).toEqual([]);
});

test('every row in a title is on the list', () => {
  const names = listRowNames();
  expect([...shown].filter((row) => !names.includes(row))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('what the specification does not show has a row, and the named files exist', () => {
  const names = listRowNames();
  expect(notShown.map(([, , , row]) => row).filter((row) => !names.includes(row))).toEqual([]);
  const text = [...notShown, ...differences, ...notTried].flat(2).join(' ');
  const files = text.match(/[\w-]+\/[\w/.-]+\.(?:ts|md|sh)\b/g) ?? [];
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test('the flows start the product as ./start does, with the listed settings', () => {
  const serve = readFileSync(path.join(root, 'e2e/support/product/serve.ts'), 'utf8');
  const settings = [...serve.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name]) => name);
  const named = ['PATH', 'HOME', ...differences.flatMap(([names]) => names)];
  expect(settings.toSorted()).toEqual(named.toSorted());
  expect(readFileSync(path.join(root, 'start'), 'utf8').trimEnd().split('\n').at(-1)).toBe(
    'exec ./inkproof serve "$@"',
  );
  expect(readFileSync(path.join(root, 'inkproof'), 'utf8')).toContain('server/cli/main.ts" "$@"');
  expect(serve).toContain("spawn(process.execPath, ['server/cli/main.ts', 'serve'], {");
});

test('docs/specification.md equals rows and titles: npm run specification:write', () => {
  expect(readFileSync(specificationFile, 'utf8')).toBe(renderSpecification(flows));
});

test('rows are a whole title, or in brackets at its end', () => {
  expect(readRows('§4 Counter: a dash; §9 Counter')).toEqual({
    title: '',
    rows: ['§4 Counter: a dash', '§9 Counter'],
  });
  expect(readRows('a visitor buys [§6 Visitor: buys; §2 /pricing]')).toEqual({
    title: 'a visitor buys',
    rows: ['§6 Visitor: buys', '§2 /pricing'],
  });
  expect(readRows('a visitor buys')).toBeNull();
});
