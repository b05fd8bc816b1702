/**
 * Files whose pages exceeded their limits. After two such pages the rest of a file is not tried, so that its cost is
 * bounded.
 */

/** Pages of one file that may each exceed their limits. */
const maxCostlyPages = 2;
/** Files remembered. */
const maxRemembered = 500;
/** By path, least recently noted first. */
const costlyPages = new Map<string, number>();

export function isTooCostly(path: string): boolean {
  return (costlyPages.get(path) ?? 0) >= maxCostlyPages;
}

export function noteCostly(path: string): void {
  const count = (costlyPages.get(path) ?? 0) + 1;
  costlyPages.delete(path);
  costlyPages.set(path, count);
  for (const oldest of costlyPages.keys()) {
    if (costlyPages.size <= maxRemembered) break;
    costlyPages.delete(oldest);
  }
}
