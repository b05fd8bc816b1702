import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rows } from '../e2e/specification/rows.ts';
import {
  listFlows,
  listRowNames,
  readRows,
  renderSpecification,
  specificationFile,
} from './write-specification.ts';

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

test('every row that a title carries is one of the list', () => {
  const names = listRowNames();
  expect([...shown].filter((row) => !names.includes(row))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('docs/specification.md says what rows and titles say: npm run specification:write', () => {
  expect(readFileSync(specificationFile, 'utf8')).toBe(renderSpecification(flows));
});

test('rows stand as a whole title, or in brackets at its end', () => {
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
