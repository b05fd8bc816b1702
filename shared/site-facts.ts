/**
 * What public pages say about their installation. The build does not know it: it writes placeholders for values and
 * every variant of a passage (`data-if`). At start the server inserts the values and removes the passages that do not
 * apply (server/http/site/write-facts.ts). The browser reads the same facts from `<meta name="site-facts">`, so that
 * hydration finds the expected page.
 */

export interface SiteFacts {
  /** PUBLIC_URL without a trailing slash. */
  publicUrl: string;
  supportEmail: string;
  /** Who reads pages: our own programs, a model on this machine, or a vendor's. */
  reader: 'embedded' | 'own-model' | 'vendor';
  /** The vendor's name, or its host's; empty without one. */
  vendor: string;
  /** Hosts that are asked for the country of an address, in words; empty if none is. */
  countryServices: string;
  /** Whether Stripe takes payments. Otherwise bundles are sold in test mode. */
  hasPayments: boolean;
  /** Whether a Supabase project manages accounts instead of our own server. */
  hasSupabase: boolean;
}

/** What the build writes in place of the values. Addresses look like addresses. */
export const placeholders = {
  publicUrl: 'https://inkproof.example',
  supportEmail: 'support@inkproof.example',
  vendor: '%vendor%',
  countryServices: '%country-services%',
} as const satisfies Partial<SiteFacts>;

/** Passages that apply only to some installations. */
const passages = [
  'reader-embedded',
  'reader-own-model',
  'reader-vendor',
  'countries',
  'payments',
  'test-mode',
  'supabase',
] as const;
export type Passage = (typeof passages)[number];

/** Whether a passage applies. */
export function isPassageShown(passage: Passage, facts: SiteFacts): boolean {
  switch (passage) {
    case 'reader-embedded':
    case 'reader-own-model':
    case 'reader-vendor':
      return passage === `reader-${facts.reader}`;
    case 'countries':
      return facts.countryServices !== '';
    case 'payments':
      return facts.hasPayments;
    case 'test-mode':
      return !facts.hasPayments;
    case 'supabase':
      return facts.hasSupabase;
  }
}
