const clocks =
  /\\(?:time|currenttime|xxivtime|DTM\w*(?:[Tt]ime|now)|hhmm\w*|(?:pdf)?creationdate|(?:pdf)?(?:elapsed|reset)timer?)(?![A-Za-z])/;

/**
 * True for a document that shows the time of day, or seems to: the clock of a waiting engine stands still, so
 * the document is compiled by a new one. Dates are safe: engines do not outlive the day.
 */
export function looksAtClock(latex: string): boolean {
  return clocks.test(latex);
}
