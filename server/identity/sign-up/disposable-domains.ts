/**
 * Domains of disposable addresses: three maintained lists merged into one, in the database, where the sign-up rules look
 * them up on either backend. A domain includes its subdomains.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { domainToASCII, domainToUnicode } from 'node:url';
import type pg from 'pg';
import { ordinaryProviders, publicSuffixes } from './ordinary-providers.ts';

const require = createRequire(import.meta.url);
const packages = ['disposable-email-domains', 'disposable-email-domains-js', 'mailchecker'];

/** Evidently disposable by name, but on none of the three lists. */
const furtherDomains: readonly string[] = ['tempmail.com'];

/** The three packages' lists as they publish them. */
export function readDisposableLists(): Record<string, readonly string[]> {
  const mailchecker = require('mailchecker') as typeof import('mailchecker');
  return {
    'disposable-email-domains': [
      ...(require('disposable-email-domains') as string[]),
      ...(require('disposable-email-domains/wildcard.json') as string[]),
    ],
    'disposable-email-domains-js': require('disposable-email-domains-js/dist/dict/disposable_email_blocklist.json'),
    mailchecker: [...mailchecker.blacklist()],
  };
}

/** The union of all lists without ordinary providers, international domains in both their forms; sorted. */
export function listDisposableDomains(): string[] {
  const ordinary = new Set([...publicSuffixes, ...ordinaryProviders.flatMap(listSuffixes)]);
  const domains = new Set<string>();
  for (const given of [...Object.values(readDisposableLists()).flat(), ...furtherDomains]) {
    const domain = given.trim().toLowerCase();
    const forms = /^[a-z0-9.-]+$/.test(domain) && !domain.includes('xn--') ? [domain] : listForms(domain);
    for (const form of forms) if (form.includes('.') && !ordinary.has(form)) domains.add(form);
  }
  return [...domains].sort();
}

const listForms = (domain: string) => [domainToASCII(domain), domainToUnicode(domain).normalize('NFKC')];

/** `a.b.c`: `a.b.c`, `b.c`, `c`. */
function listSuffixes(domain: string): string[] {
  const labels = domain.split('.');
  return labels.map((_, first) => labels.slice(first).join('.'));
}

/** Changes with the packages' versions and with the exceptions; cheaper than reading the lists. */
function fingerprintLists(): Buffer {
  const versions = packages.map((name) => (require(`${name}/package.json`) as { version: string }).version);
  return createHash('sha256')
    .update(JSON.stringify([1, versions, ordinaryProviders, publicSuffixes, furtherDomains]))
    .digest();
}

/** Advisory lock ("INKD"): of processes that start together, one loads. */
const loadLockKey = 0x494e4b44;

/** Updates the table to this release's lists; does nothing if their fingerprint is unchanged. */
export async function loadDisposableDomains(pool: pg.Pool): Promise<'loaded' | 'unchanged'> {
  const hash = fingerprintLists();
  const client = await pool.connect();
  try {
    if (await isLoaded(client, hash)) return 'unchanged';
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [loadLockKey]);
    const isNew = !(await isLoaded(client, hash));
    if (isNew) {
      await client.query('DELETE FROM private.disposable_domains');
      await client.query('INSERT INTO private.disposable_domains (domain) SELECT unnest($1::text[])', [
        listDisposableDomains(),
      ]);
      await client.query(
        `INSERT INTO private.settings (name, value) VALUES ('disposable-domains', $1)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        [hash],
      );
    }
    await client.query('COMMIT');
    return isNew ? 'loaded' : 'unchanged';
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

async function isLoaded(client: pg.PoolClient, hash: Buffer): Promise<boolean> {
  const { rowCount } = await client.query(
    "SELECT FROM private.settings WHERE name = 'disposable-domains' AND value = $1",
    [hash],
  );
  return rowCount === 1;
}
