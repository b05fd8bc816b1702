/** Determines what `./test` runs for its arguments. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { runsWhole } from '../../test-support/matrix.ts';
import { findBase, flowsOf, isTest, listChangedFiles, roomOf } from './changed-files.ts';
import { type Reading, readPlaywrightReport, readVitestReport } from './check-reports.ts';
import { rooms } from './rooms.ts';

export interface Kind {
  name: string;
  command: string[];
  /** Where the command writes its report. */
  report: string;
  /** Parses the report; without this, the whole command is one check. */
  read?: (report: string) => Reading;
  env?: Record<string, string>;
  /** Takes seconds: runs in parallel with other quick ones, and shows its output if it failed. */
  isQuick?: boolean;
  /** Whether finding no test is acceptable. */
  mayBeEmpty?: boolean;
}

/** `whole` are the rooms whose matrices run, in the form that test-support/matrix.ts expects. */
export type Plan =
  | { kind: 'run'; kinds: Kind[]; whole: string[] }
  | { kind: 'watch'; paths: string[]; whole: string[] }
  | { kind: 'unknown'; reason: string };

interface Places {
  /** The project's root folder. */
  root: string;
  /** Folder for reports. */
  reports: string;
}

/** @param asked the command line's arguments */
export function plan(commandLine: readonly string[], { root, reports }: Places): Plan {
  const flags = commandLine.filter((word) => word.startsWith('--'));
  const words = commandLine.filter((word) => !word.startsWith('--'));
  const vitest = (name: string, args: string[], mayBeEmpty = false): Kind => {
    const report = path.join(reports, `${name}.json`);
    const outputs = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const read = (text: string) => readVitestReport(text, root);
    return { name, command: ['vitest', ...args, ...outputs], report, read, mayBeEmpty };
  };
  const playwright = (name: string, args: string[], mayBeEmpty = false): Kind => {
    const report = path.join(reports, `${name}.json`);
    const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
    const command = ['playwright', 'test', '--reporter=line,json', ...args];
    return { name, command, report, read: readPlaywrightReport, env, mayBeEmpty };
  };
  const quick = (name: string, ...command: string[]): Kind => ({ name, command, report: '', isQuick: true });
  const quickKinds = [
    quick('format', 'biome', 'check', '--error-on-warnings', '.'),
    quick('arrows', 'node', 'setup/checks/check-arrows.ts'),
    quick('types', 'npm', 'run', '--silent', 'typecheck'),
    quick('migrations', 'npm', 'run', '--silent', 'migrations:check'),
  ];
  const everyKind = [
    ...quickKinds,
    // the longest first
    playwright('browser', []),
    vitest('unit', ['run', '--project', 'unit']),
    vitest('database', ['run', '--project', 'database']),
  ];

  const unknown = flags.find((flag) => !['--all', '--changed', '--watch'].includes(flag));
  if (unknown) return { kind: 'unknown', reason: `There is no ${unknown}.` };
  const paths = words.filter((word) => !everyKind.some(({ name }) => name === word)).map(tidy);
  const missing = paths.find((word) => !existsSync(path.join(root, word)));
  if (missing) return { kind: 'unknown', reason: `${missing} is neither a kind of check nor a path.` };

  if (flags.includes('--watch')) return { kind: 'watch', paths, whole: paths };
  if (flags.includes('--changed')) return planChanged();
  if (paths.length > 0) return planPaths();
  return {
    kind: 'run',
    kinds: everyKind.filter(({ name }) => words.length === 0 || words.includes(name)),
    whole: flags.includes('--all') ? ['all'] : [],
  };

  function planChanged(): Plan {
    const base = findBase(root);
    const whole = flags.includes('--all') ? ['all'] : roomsOf(root, listChangedFiles(root, base));
    const matrices = listMatrices(root).filter((file) => runsWhole(path.join(root, file), whole));
    const tests = matrices.filter((file) => !file.startsWith('e2e/'));
    const flows = matrices.filter((file) => file.startsWith('e2e/'));
    return {
      kind: 'run',
      whole,
      kinds: [
        ...quickKinds,
        vitest('tests', ['run', '--changed', base, '--passWithNoTests'], true),
        ...(tests.length > 0 ? [vitest('matrices', ['run', ...tests])] : []),
        playwright('flows', [`--only-changed=${base}`, '--pass-with-no-tests'], true),
        ...(flows.length > 0 ? [playwright('matrices-of-flows', flows)] : []),
      ],
    };
  }

  function planPaths(): Plan {
    const flows = paths.filter((name) => name === 'e2e' || name.startsWith('e2e/'));
    const others = paths.filter((name) => !flows.includes(name));
    const isSource = (name: string) => !isTest(name) && statSync(path.join(root, name)).isFile();
    const tests = others.filter((name) => !isSource(name));
    const sources = others.filter(isSource);
    return {
      kind: 'run',
      whole: paths.filter((name) => !isSource(name)),
      kinds: [
        ...everyKind.filter(({ name }) => words.includes(name)),
        ...(tests.length > 0 ? [vitest('tests', ['run', ...tests])] : []),
        ...(sources.length > 0 ? [vitest('related', ['related', '--run', ...sources])] : []),
        ...(flows.length > 0 ? [playwright('flows', flows)] : []),
      ],
    };
  }
}

/** What a plain run leaves to `./test --all`, in a sentence. */
export function listLeftOut(whole: readonly string[]): string {
  const root = path.resolve(import.meta.dirname, '../..');
  const files = listMatrices(root).filter((file) => !runsWhole(path.join(root, file), whole));
  return `Left to ./test --all: ${files.length} files of matrices, and most of the lists that others choose from.`;
}

const tidy = (word: string) => path.normalize(word).replace(/\/$/, '');

const listTests = (root: string) =>
  globSync(`{${rooms.join()}}/**/*.{test,spec}.{ts,tsx}`, {
    cwd: root,
  }).sort();

const listMatrices = (root: string) => listTests(root).filter((file) => file.includes('.matrix.'));

/** The rooms of these files that have a matrix, or a list of which a plain run takes a few. */
function roomsOf(root: string, files: readonly string[]): string[] {
  const changed = new Set(
    files.flatMap((file) => [roomOf(file), flowsOf(file)]).filter((room) => room !== null),
  );
  const isMatrix = (file: string) =>
    file.includes('.matrix.') ||
    /(?:chooseFrom|runsWhole)\(import\.meta/.test(readFileSync(path.join(root, file), 'utf8'));
  const matrices = listTests(root).filter(isMatrix);
  const isWithin = (file: string) => [...changed].some((room) => file.startsWith(`${room}/`));
  return [...changed]
    .filter((room) => !isWithin(room) && matrices.some((file) => runsWhole(path.join(root, file), [room])))
    .sort();
}
