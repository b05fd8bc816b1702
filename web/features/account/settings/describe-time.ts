const minuteMs = 60_000;
const steps: [limitMs: number, unitMs: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60 * minuteMs, minuteMs, 'minute'],
  [24 * 60 * minuteMs, 60 * minuteMs, 'hour'],
  [30 * 24 * 60 * minuteMs, 24 * 60 * minuteMs, 'day'],
  [365 * 24 * 60 * minuteMs, 30 * 24 * 60 * minuteMs, 'month'],
  [Number.POSITIVE_INFINITY, 365 * 24 * 60 * minuteMs, 'year'],
];

/** How long ago, e.g. "just now", "5 minutes ago", "yesterday". @param iso ISO 8601 @param now ms since 1970 */
export function describeAge(iso: string, now: number): string {
  const age = Math.max(0, now - Date.parse(iso));
  if (age < 2 * minuteMs) return 'just now';
  const [, unitMs, unit] = steps.find(([limitMs]) => age < limitMs) ?? steps[4]!;
  return new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' }).format(-Math.floor(age / unitMs), unit);
}
