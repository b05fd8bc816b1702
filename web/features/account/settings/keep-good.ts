/** For queries that return outcomes as values (`{ok: …}`): a failure never replaces an earlier success. */
export function keepGood(before: unknown, now: unknown): unknown {
  return isGood(before) && !isGood(now) ? before : now;
}

function isGood(outcome: unknown): boolean {
  return typeof outcome === 'object' && outcome !== null && 'ok' in outcome && outcome.ok === true;
}
