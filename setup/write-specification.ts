/**
 * `npm run specification:write`: makes docs/specification.md from the rows (e2e/specification/rows.ts) and the
 * titles of the browser flows that carry them. A test keeps all three equal.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { differences, notShown, notTried, rows } from '../e2e/specification/rows.ts';

const root = path.resolve(import.meta.dirname, '..');
export const specificationFile = path.join(root, 'docs/specification.md');

export interface Flow {
  /** Relative to the project's root. */
  file: string;
  /** Without its rows; empty if it consists of rows only. What a loop inserts is shown as …. */
  title: string;
  /** E.g. `§4 Counter: a dash while loading`. */
  rows: string[];
}

/** Every flow whose title carries rows. */
export function listFlows(): Flow[] {
  const files = globSync('e2e/**/*.spec.ts', { cwd: root }).sort();
  return files.flatMap((file) =>
    readTitles(file, readFileSync(path.join(root, file), 'utf8')).flatMap((title) => {
      const found = readRows(title);
      return found === null ? [] : [{ file, ...found }];
    }),
  );
}

/** The titles of a file's tests: the first argument of `test(…)`, or of one with a name like `browserTest(…)`. */
function readTitles(file: string, source: string): string[] {
  const titles: string[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'Identifier' || !/^(test|\w+Test)$/.test(callee.name) || !first) return;
      if (first.type === 'Literal' && typeof first.value === 'string') titles.push(first.value);
      if (first.type === 'TemplateLiteral')
        titles.push(first.quasis.map(({ value }) => value.cooked).join('…'));
    },
  }).visit(parseSync(file, source).program);
  return titles;
}

/** Null for a title without rows. */
export function readRows(title: string): Omit<Flow, 'file'> | null {
  const whole = title.startsWith('§') ? title : null;
  const listed = whole ?? title.match(/ \[(§[^\]]*)\]$/)?.[1];
  if (listed === undefined) return null;
  const own = whole === null ? title.slice(0, title.lastIndexOf(' [')) : '';
  return { title: own, rows: listed.split('; ') };
}

/** The rows' names as used in titles. */
export function listRowNames(): string[] {
  return Object.entries(rows).flatMap(([section, list]) => list.map(([, name]) => `§${section} ${name}`));
}

/** The page's whole text. */
export function renderSpecification(flows: readonly Flow[]): string {
  const all = Object.values(rows).flat();
  const notDone = all.filter(([, , reason]) => reason !== undefined);
  const sections = Object.entries(rows).map(([section, list]) => {
    const lines = list.map(([at, name, reason]) => {
      const row = `§${section} ${name}`;
      const shownBy = flows.filter((flow) => flow.rows.includes(row));
      const tests = shownBy.map(({ file, title }) => `\`${file}\`${title && ` › ${escapeCell(title)}`}`);
      return `| ${at} | ${escapeCell(name)} | ${tests.join('<br>')} | ${reason ? `not done: ${escapeCell(reason)}` : 'shown'} |`;
    });
    return `## Section ${section}\n\n| At | Row | Shown by | State |\n|---|---|---|---|\n${lines.join('\n')}\n`;
  });
  const open = notShown.map(
    ([at, what, here, row]) => `| ${at} | ${what} | ${escapeCell(here)} | ${escapeCell(row)} |`,
  );
  const settings = differences.map(
    ([names, why]) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${escapeCell(why)} |`,
  );
  const untried = notTried.map(([what, instead]) => `| ${what} | ${escapeCell(instead)} |`);
  return `# The specification, row by row

Generated from \`e2e/specification/rows.ts\` and the titles of the browser flows by \`npm run specification:write\`; a test keeps
them equal. “At” is the section of the specification and the item in it, counting every bullet, table row and paragraph.
Flows run in a real browser or over real HTTP, against the product as \`./start\` starts it. A file without a title after it has
a test whose title is the row.

${all.length} rows: ${all.length - notDone.length} shown, ${notDone.length} not done.

${sections.join('\n')}
## Not shown in the specification

| At | What | Here | Row |
|---|---|---|---|
${open.join('\n')}

## The product of the flows

The command is the one that \`./start\` ends with, in a tree that is installed and built as \`./start\` does it. These settings
differ from those of a first start; flows that need others start another product and name them.

| Settings | Why |
|---|---|
${settings.join('\n')}

## Not tried

| What | In its place |
|---|---|
${untried.join('\n')}
`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (import.meta.main) writeFileSync(specificationFile, renderSpecification(listFlows()));
