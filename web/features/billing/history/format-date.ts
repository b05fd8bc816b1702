const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
// the server counts months of usage in UTC
const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** E.g. `3 Nov 2026`, in local time. @param iso ISO 8601 */
export function formatDay(iso: string): string {
  return day.format(new Date(iso));
}

/** E.g. `November 2026`. @param yearAndMonth e.g. `2026-11` */
export function formatMonth(yearAndMonth: string): string {
  return month.format(new Date(`${yearAndMonth}-01T00:00:00Z`));
}
