/** Reads the country from a service's answer. */

/** Codes used where there is no country: unknown, anonymous, satellite, Tor, continents, pseudo-locales. */
const noCountries = new Set(['XX', 'ZZ', 'XA', 'XB', 'A1', 'A2', 'O1', 'T1', 'EU', 'EZ', 'AP', 'UN', 'QO']);
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** The fields in which services return it. */
const fields = ['country_code', 'countryCode', 'country'];

/**
 * @param text JSON with `country_code`, `countryCode` or `country` (the first of them that holds a code), a JSON string,
 * or the code alone
 * @returns ISO 3166-1 alpha-2 in capitals; null where the answer names no country
 */
export function readCountry(text: string): string | null {
  // some begin with a byte order mark
  const bare = text.replace(/^\uFEFF/, '').trim();
  const direct = toCountry(bare);
  if (direct !== null) return direct;
  const value = parseJson(bare);
  if (typeof value === 'string') return toCountry(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const answer = value as Record<string, unknown>;
  for (const field of fields) {
    const country = Object.hasOwn(answer, field) ? toCountry(answer[field]) : null;
    if (country !== null) return country;
  }
  return null;
}

function toCountry(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\s*[a-z]{2}\s*$/i.test(value)) return null;
  const code = value.trim().toUpperCase();
  // the one country whose usual short name is not its code
  if (code === 'UK') return 'GB';
  return noCountries.has(code) || regionNames.of(code) === undefined ? null : code;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
