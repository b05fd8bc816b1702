/** Where a conversion's files are stored: under one prefix per conversion, so that one call deletes them. */

/** The prefix of everything that conversions store. */
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

/** The output of one reading of one page: each reading has its own folder, so a late one overwrites nothing. */
export function pagePrefix(id: string, number: number, leaseToken: string): string {
  return `${pagesPrefix(id)}${number}/${leaseToken}/`;
}

function resultsPrefix(id: string): string {
  return `${conversionPrefix(id)}results/`;
}

/** The output of one assembly. */
export function resultPrefix(id: string, assemblyToken: string): string {
  return `${resultsPrefix(id)}${assemblyToken}/`;
}

/** The conversion a storage key belongs to; null for anything else. */
export function conversionIdOfKey(key: string): string | null {
  const [, id] = /^conversions\/([^/]+)\//.exec(key) ?? [];
  return id ?? null;
}
