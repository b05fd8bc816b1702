/** Where a conversion's files lie in the storage: one prefix each, so that forgetting it is one call. */

/** Everything that conversions keep. */
export const conversionsPrefix = 'conversions/';

export function conversionPrefix(id: string): string {
  return `${conversionsPrefix}${id}/`;
}

export function uploadsPrefix(id: string): string {
  return `${conversionPrefix(id)}uploads/`;
}

/** Previews and crops of all pages. */
export function pagesPrefix(id: string): string {
  return `${conversionPrefix(id)}pages/`;
}

/** What one reading of one page wrote: each reading has a folder of its own, so a late one overwrites nothing. */
export function pagePrefix(id: string, number: number, leaseToken: string): string {
  return `${pagesPrefix(id)}${number}/${leaseToken}/`;
}

export function resultsPrefix(id: string): string {
  return `${conversionPrefix(id)}results/`;
}

/** What one assembly wrote. */
export function resultPrefix(id: string, assemblyToken: string): string {
  return `${resultsPrefix(id)}${assemblyToken}/`;
}

/** The conversion a storage key belongs to; null for anything else. */
export function conversionIdOfKey(key: string): string | null {
  const [, id] = /^conversions\/([^/]+)\//.exec(key) ?? [];
  return id ?? null;
}
