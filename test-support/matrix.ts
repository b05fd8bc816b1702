/**
 * Something tried in many combinations (every sandbox × every way of compiling, attacks, fuzzing, storms, kills
 * in bulk) is a matrix: a file named `*.matrix.test.ts`, `*.matrix.db.test.ts` or `*.matrix.spec.ts`, or a list
 * passed to `chooseFrom`. The plain `./test` skips such files and takes a few items of such lists; `./test
 * --all` runs everything, and naming or changing a room runs everything of that room.
 */
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname, '..');

/** Rooms whose matrices run whole, as given by the runner of the checks: `all`, or paths separated by spaces. */
const wholeRooms = (process.env.CHECKS_WHOLE ?? '').split(' ').filter(Boolean);

/** @param file absolute path of a test */
export function runsWhole(file: string, rooms: readonly string[] = wholeRooms): boolean {
  const own = path.relative(root, file);
  return rooms.some((room) => room === 'all' || own === room || own.startsWith(`${room}/`));
}

/**
 * @param file the test's own, `import.meta.filename`
 * @param all the most telling ones first
 * @returns all of them in a whole run, otherwise the first `count`
 */
export function chooseFrom<T>(file: string, all: readonly T[], count = 1): readonly T[] {
  return runsWhole(file) ? all : all.slice(0, count);
}

/** Patterns of the matrix files in this run, for a runner that selects them by `suffix`, e.g. `db.test.ts`. */
export function matrixPatterns(suffix: string, rooms: readonly string[] = wholeRooms): string[] {
  return rooms.flatMap((room) => {
    if (room === 'all') return [`**/*.matrix.${suffix}`];
    if (path.extname(room)) return room.endsWith(`.matrix.${suffix}`) ? [room] : [];
    return [`${room}/**/*.matrix.${suffix}`];
  });
}
