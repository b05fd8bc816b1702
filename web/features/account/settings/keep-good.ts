/** For a query whose outcomes are values (`{ok: …}`): a failure never takes the place of an answer that was there. */
export function keepGood(before: unknown, now: unknown): unknown {
  return isGood(before) && !isGood(now) ? before : now;
}

function isGood(outcome: unknown): boolean {
  return typeof outcome === 'object' && outcome !== null && 'ok' in outcome && outcome.ok === true;
}
