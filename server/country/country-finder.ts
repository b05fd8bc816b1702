/** Finds a caller's country through geolocation services, asked in order and cached by network. */
import { Counter, type Registry } from 'prom-client';
import { hashNetwork } from '../http/request/client-network.ts';
import { toPublicAddress } from './public-address.ts';
import { readCountry } from './read-country.ts';

/** Time limit per service, including the response body, in ms. */
const defaultServiceTimeoutMs = 1500;
/** The longest answer read; real ones have a few hundred bytes. */
const maxAnswerBytes = 16_384;
/** Networks change country within months, so a day is short. */
const foundLifetimeMs = 24 * 3_600_000;
/** After services failed; long enough not to ask them for every page view. */
const unknownLifetimeMs = 5 * 60_000;
/** Networks cached; about 2 MB. */
const maxNetworks = 10_000;
/** Concurrent look-ups, so that many new visitors do not flood the services. */
const maxLookups = 16;

export interface CountryFinderOptions {
  /** Addresses of services; `{ip}` stands for the caller's address. */
  services: readonly string[];
  /** Keys the hashes of networks; nothing else about callers is stored. */
  secretKey: string;
  metrics: Registry;
  /** Time limit per service, in ms (1500). */
  serviceTimeoutMs?: number;
}

export interface CountryFinder {
  /**
   * ISO 3166-1 alpha-2 in capitals; null if no service knows it, or none may be asked.
   * @param address from `getClientAddress`; neither logged nor stored
   */
  find(address: string): Promise<string | null>;
}

interface Remembered {
  country: string | null;
  until: number;
}

export function createCountryFinder(options: CountryFinderOptions): CountryFinder {
  const { services, secretKey, metrics, serviceTimeoutMs = defaultServiceTimeoutMs } = options;
  const lookups = new Counter({
    name: 'inkproof_country_lookups_total',
    help: 'Requests to the geolocation services, by service (in the order of GEOIP_URLS) and outcome',
    labelNames: ['service', 'outcome'] as const,
    registers: [metrics],
  });
  /** Least recently used first. */
  const remembered = new Map<string, Remembered>();
  const underWay = new Map<string, Promise<string | null>>();

  const recall = (network: string): Remembered | undefined => {
    const known = remembered.get(network);
    if (!known) return undefined;
    remembered.delete(network);
    if (known.until <= Date.now()) return undefined;
    remembered.set(network, known);
    return known;
  };

  const remember = (network: string, country: string | null) => {
    const lifetime = country === null ? unknownLifetimeMs : foundLifetimeMs;
    remembered.set(network, { country, until: Date.now() + lifetime });
    if (remembered.size > maxNetworks) remembered.delete(remembered.keys().next().value!);
  };

  const lookUp = async (publicAddress: string | null): Promise<string | null> => {
    for (const [index, service] of services.entries()) {
      if (!mayAsk(service, publicAddress)) continue;
      const country = await ask(service.replaceAll('{ip}', publicAddress ?? ''), serviceTimeoutMs);
      const outcome = country === 'failed' ? 'failed' : country === null ? 'unknown' : 'found';
      lookups.inc({ service: String(index + 1), outcome });
      if (outcome === 'found') return country;
    }
    return null;
  };

  return {
    async find(address) {
      const publicAddress = toPublicAddress(address);
      if (!services.some((service) => mayAsk(service, publicAddress))) return null;
      const network = hashNetwork(address, secretKey);
      const known = recall(network);
      if (known) return known.country;
      const running = underWay.get(network);
      if (running) return running;
      if (underWay.size >= maxLookups) return null;
      const lookup = lookUp(publicAddress)
        .then((country) => {
          remember(network, country);
          return country;
        })
        .finally(() => underWay.delete(network));
      underWay.set(network, lookup);
      return lookup;
    },
  };
}

/** A service without `{ip}` sees the server's own address and learns nothing about the caller. */
function mayAsk(service: string, publicAddress: string | null): boolean {
  return publicAddress !== null || !service.includes('{ip}');
}

/** Null if the service names no country, `failed` if its answer is invalid. */
async function ask(url: string, timeoutMs: number): Promise<string | null | 'failed'> {
  try {
    const answer = await fetch(url, {
      headers: { Accept: 'application/json, text/plain', 'User-Agent': 'Inkproof' },
      // a redirect would pass the address on to another service
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!answer.ok) {
      await answer.body?.cancel();
      return 'failed';
    }
    const text = await readText(answer);
    return text === null ? 'failed' : readCountry(text);
  } catch {
    return 'failed';
  }
}

/** Null if the answer is too long. */
async function readText(answer: Response): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  let sizeBytes = 0;
  for await (const chunk of answer.body ?? []) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxAnswerBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
