/**
 * What public pages say of the installation they stand on. The build knows none: it writes placeholders for values and
 * every variant of a passage (`data-if`). At boot the server puts the values in and takes out the passages that do not
 * hold (server/http/site/write-facts.ts). The browser reads the same facts from `<meta name="site-facts">`, so that
 * hydration finds the page as it expects it.
 */

export interface SiteFacts {
  /** PUBLIC_URL, without a slash at its end. */
  publicUrl: string;
  supportEmail: string;
  /** Who reads pages: programs of ours, a model on a machine of ours, or a vendor's. */
  reader: 'embedded' | 'own-model' | 'vendor';
  /** The vendor's name, or its host's; empty where there is none. */
  vendor: string;
  /** Hosts that are asked for the country of an address, in words; empty when none is. */
  countryServices: string;
  /** Whether money moves through Stripe. Otherwise bundles are sold in test mode. */
  hasPayments: boolean;
  /** Whether accounts are kept by a Supabase project instead of our own server. */
  hasSupabase: boolean;
}

/** What the build writes where the values will be. Those that are addresses look like some. */
export const placeholders = {
  publicUrl: 'https://inkproof.example',
  supportEmail: 'support@inkproof.example',
  vendor: '%vendor%',
  countryServices: '%country-services%',
} as const satisfies Partial<SiteFacts>;

/** The names of passages that hold only on some installations. */
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

/** Whether a passage holds. */
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
