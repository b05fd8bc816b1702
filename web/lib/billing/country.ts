/**
 * Decides whose currency prices are shown in (specification, section 4). The server is asked once per page load; if
 * it does not know, or is too slow, the host name decides. Parsed by hand, so that prices need not wait for a
 * library.
 */
import { useEffect, useState } from 'react';
import { type Currency, currencyOf, guessCountry } from '#shared/api/bundles.ts';
import { apiUrl } from '../api-routes.ts';

/** How long a price may wait for the response, in ms: the server tries three services, which may all be slow. */
const timeoutMs = 4000;

let found: string | null = null;
let request: Promise<string> | null = null;

/** ISO 3166-1 alpha-2 in capitals, or EU if unknown. Never fails. */
export function findCountry(): Promise<string> {
  request ??= ask().then((country) => {
    found = country ?? guessCountry(location.hostname);
    return found;
  });
  return request;
}

/** The currency for prices; null until the country is known, and in prerendered pages. */
export function useCurrency(): Currency | null {
  // a known answer is shown at once, but never before hydration is complete
  const [country, setCountry] = useState<string | null>(null);
  useEffect(() => {
    let isUnmounted = false;
    if (found !== null) return setCountry(found);
    void findCountry().then((answer) => !isUnmounted && setCountry(answer));
    return () => {
      isUnmounted = true;
    };
  }, []);
  return country === null ? null : currencyOf(country);
}

async function ask(): Promise<string | null> {
  try {
    const response = await fetch(apiUrl('GET /country'), { signal: AbortSignal.timeout(timeoutMs) });
    const body: unknown = response.ok ? await response.json() : null;
    return readCountry(body);
  } catch {
    return null;
  }
}

/** Exported for its test. */
export function readCountry(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('country' in body)) return null;
  const { country } = body;
  return typeof country === 'string' && /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : null;
}
