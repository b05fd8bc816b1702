/** What the commands on credits and money share. What they need of the server is loaded when one runs. */
import type { OpenedCredits } from './open-credits.ts';

export async function withCredits(use: (opened: OpenedCredits) => Promise<void>): Promise<void> {
  const { openCredits } = await import('./open-credits.ts');
  const opened = await openCredits(process.env, (notice) => process.stderr.write(`${notice}\n`));
  try {
    await use(opened);
  } finally {
    await opened.close();
  }
}

/** Columns of equal width; the numeric ones are aligned to the right. */
export function formatTable(
  rows: readonly (readonly string[])[],
  isNumeric: (column: number) => boolean,
): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const pad = (cell: string, column: number) =>
    isNumeric(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
