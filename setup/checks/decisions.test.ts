import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../../docs/decisions');

test('the index of decisions lists each page by title, with status and date', () => {
  const rows = readFileSync(path.join(folder, 'README.md'), 'utf8').match(/^\| \[\d{3}\].*$/gm);
  const expected = readdirSync(folder)
    .filter((name) => /^\d{3}-/.test(name))
    .sort()
    .map((name) => {
      const title = /^# (?:\d{3} )?(.*)/.exec(readFileSync(path.join(folder, name), 'utf8'))?.[1];
      return `| [${name.slice(0, 3)}](${name}) | ${title} | `;
    });
  expect(rows?.map((row, at) => row.slice(0, expected[at]?.length))).toEqual(expected);
  for (const row of rows!) expect(row).toMatch(/ \| (?:in force|replaced).* \| \d{4}-\d\d-\d\d \|$/);
});
