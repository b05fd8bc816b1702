/** Writes the facts of this installation into the built pages (shared/site-facts.ts), once at boot. */

import { type AiProvider, chooseProvider } from '#platform/ai/open-model.ts';
import type { Env } from '#platform/env.ts';
import { escapeMarkup } from '#shared/escape-markup.ts';
import { isPassageShown, type Passage, placeholders, type SiteFacts } from '#shared/site-facts.ts';
import { isLoopbackName } from '../request/loopback.ts';

const vendorNames: Record<Exclude<AiProvider, 'openai-compatible'>, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
};

/** The settings that public pages mention. */
export function gatherSiteFacts(env: Env): SiteFacts {
  return {
    publicUrl: env.PUBLIC_URL,
    supportEmail: env.SUPPORT_EMAIL,
    ...describeReader(env),
    countryServices: joinWords(
      // a service that is not sent the address learns nothing about the visitor
      env.GEOIP_URLS.filter((address) => address.includes('{ip}')).map(
        (address) => new URL(address).hostname,
      ),
    ),
    hasPayments: env.STRIPE_SECRET_KEY !== undefined,
    hasSupabase: env.SUPABASE_URL !== undefined,
  };
}

/** The address tells who the vendor is, if one is set: the operator's own machines speak vendors' protocols too. */
function describeReader(env: Env): Pick<SiteFacts, 'reader' | 'vendor'> {
  const provider = env.hasVisionModel ? chooseProvider(env) : null;
  if (provider === null) return { reader: 'embedded', vendor: '' };
  if (env.AI_BASE_URL === undefined)
    return { reader: 'vendor', vendor: provider === 'openai-compatible' ? '' : vendorNames[provider] };
  const host = new URL(env.AI_BASE_URL).hostname;
  return isOwnHost(host) ? { reader: 'own-model', vendor: '' } : { reader: 'vendor', vendor: host };
}

/**
 * True for machines in the operator's own network: names without a dot, and names and addresses that no public
 * network has.
 */
function isOwnHost(host: string): boolean {
  return (
    isLoopbackName(host) ||
    /^[a-z0-9-]+$/.test(host) ||
    /\.(local|lan|internal|home\.arpa)$/.test(host) ||
    /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host) ||
    /^\[f[cd]/.test(host)
  );
}

/** E.g. `a, b and c`. */
function joinWords(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format([...new Set(words)]);
}

/**
 * The page for this installation: the facts in its meta tag, values for placeholders, and only the passages
 * that apply. A passage is one element with `data-if` that contains no element of the same name.
 */
export function writeFacts(html: string, facts: SiteFacts): string {
  const filled = html.replace(
    /<meta\b[^>]*\bname="site-facts"[^>]*>/,
    () => `<meta name="site-facts" content="${escapeMarkup(JSON.stringify(facts))}"/>`,
  );
  const chosen = filled.replace(
    /<([a-z0-9]+) data-if="([^"]+)"[^>]*>[\s\S]*?<\/\1>/g,
    (element, _name: string, passage: string) => (isPassageShown(passage as Passage, facts) ? element : ''),
  );
  return writeValues(chosen, facts, escapeMarkup);
}

/** Replaces the placeholders in any text; `encode` escapes the values for it. */
export function writeValues(text: string, facts: SiteFacts, encode: (value: string) => string): string {
  return Object.entries(placeholders).reduce(
    (written, [name, placeholder]) =>
      written.replaceAll(placeholder, () => encode(facts[name as keyof typeof placeholders])),
    text,
  );
}
