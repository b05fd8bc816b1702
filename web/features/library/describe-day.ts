const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' });

/**
 * The shortest form: `14:05` today, `Yesterday`, `3 Nov`, `3 Nov 2025`. @param iso ISO 8601 @param now ms since 1970
 */
export function describeDay(iso: string, now: number): string {
  const at = new Date(iso);
  const today = new Date(now);
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (at.toDateString() === today.toDateString()) return clock.format(at);
  if (at.toDateString() === yesterday.toDateString()) return 'Yesterday';
  return (at.getFullYear() === today.getFullYear() ? day : dayAndYear).format(at);
}

/** E.g. `Tuesday, 3 November 2026 at 14:05`. */
export function describeMoment(iso: string): string {
  return full.format(new Date(iso));
}
