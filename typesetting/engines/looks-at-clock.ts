const clocks =
  /\\(?:time|currenttime|xxivtime|DTM\w*(?:[Tt]ime|now)|hhmm\w*|(?:pdf)?creationdate|(?:pdf)?(?:elapsed|reset)timer?)(?![A-Za-z])/;

/**
 * True for a document that shows the time of day, or seems to: the clock of an engine that waits stands still, so it is
 * compiled by one that starts. Dates are safe: engines do not outlive the day.
 */
export function looksAtClock(latex: string): boolean {
  return clocks.test(latex);
}
