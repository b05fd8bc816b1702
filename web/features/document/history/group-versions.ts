import type { VersionSummary } from '#shared/api/library.ts';

/** A row of the history: a version, and the saves just before it that it replaces. */
export interface HistoryLine {
  version: VersionSummary;
  /** Newest first; empty for a version that is not grouped. */
  earlier: VersionSummary[];
  /** Characters added, or removed if negative, by this row; null if the previous text is unknown. */
  growth: number | null;
}

export interface HistoryDay {
  /** E.g. `Today`, `Friday 20 November`. */
  label: string;
  lines: HistoryLine[];
}

/** Saves are grouped in one row as long as no pause between them is longer, in ms. */
const pauseMs = 10 * 60_000;

/**
 * Groups versions by local day, newest first as given. Versions that were named, created, merged, restored or changed
 * by the assistant have a row of their own.
 * @param now ms since 1970
 */
export function groupVersions(versions: readonly VersionSummary[], now: number): HistoryDay[] {
  const days: HistoryDay[] = [];
  for (const [at, version] of versions.entries()) {
    const label = describeDay(version.created_at, now);
    const before = versions[at + 1];
    const growth = before
      ? version.length - before.length
      : version.cause === 'create'
        ? version.length
        : null;
    const day = days.at(-1);
    if (day?.label !== label) {
      days.push({ label, lines: [{ version, earlier: [], growth }] });
      continue;
    }
    const line = day.lines.at(-1);
    if (line && isOneWithNext(line.earlier.at(-1) ?? line.version, version) && isPlain(line.version)) {
      line.earlier.push(version);
      line.growth = growth === null || line.growth === null ? null : line.growth + growth;
    } else day.lines.push({ version, earlier: [], growth });
  }
  return days;
}

function isPlain({ cause, name }: VersionSummary): boolean {
  return cause === 'edit' && name === null;
}

function isOneWithNext(newer: VersionSummary, older: VersionSummary): boolean {
  return isPlain(older) && Date.parse(newer.created_at) - Date.parse(older.created_at) <= pauseMs;
}

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
const dayAndYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** E.g. `14:32`. @param iso ISO 8601 */
export function describeTime(iso: string): string {
  return time.format(new Date(iso));
}

/** E.g. `Today`, `Yesterday`, `Friday 20 November`, `3 March 2025`. @param now ms since 1970 */
export function describeDay(iso: string, now: number): string {
  const [date, today] = [new Date(iso), new Date(now)];
  if (isSameDay(date, today)) return 'Today';
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (isSameDay(date, yesterday)) return 'Yesterday';
  return (date.getFullYear() === today.getFullYear() ? weekday : dayAndYear).format(date);
}

function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}

const causes: Record<VersionSummary['cause'], string> = {
  create: 'Created',
  edit: 'Edited',
  merge: 'Merged from two versions',
  assistant: 'Changed by the assistant',
  restore: 'Restored',
};

export function describeCause({ cause }: VersionSummary): string {
  return causes[cause];
}

/** E.g. `Today, 14:32: Before the exam`. */
export function describeVersion(version: VersionSummary, now: number): string {
  const when = `${describeDay(version.created_at, now)}, ${describeTime(version.created_at)}`;
  return version.name === null ? `${when}: ${describeCause(version)}` : `${when}: ${version.name}`;
}
