/**
 * What is sold: one-time bundles of credits, and their prices (specification, sections 3 and 9). Money is in the
 * currency's hundredths (cents, pence) everywhere.
 */

/** EUR, or GBP for the United Kingdom, in the payment service's spelling. */
export const currencies = ['eur', 'gbp'] as const;
export type Currency = (typeof currencies)[number];

export const bundleIds = ['free', 'starter_pack', 'power_bundle'] as const;
export type BundleId = (typeof bundleIds)[number];

/** The bundles that can be bought: the `bundle_type` of a checkout. */
export const paidBundleIds = ['starter_pack', 'power_bundle'] as const;
export type PaidBundleId = (typeof paidBundleIds)[number];

export interface Bundle {
  id: BundleId;
  title: string;
  description: string;
  /** In hundredths; 0 for the free one. */
  price: Record<Currency, number>;
  /** The former price, shown struck through; null if there is none. */
  oldPrice: Record<Currency, number> | null;
  /** Pages that can be converted, and AI conversations. */
  credits: { conversion: number; assistant: number };
  /** Highlighted among the cards, with `highlightLabel`. */
  highlight: boolean;
}

/** The label of the highlighted card. */
export const highlightLabel = 'Most popular';

/** In the order of the cards. */
export const bundles = [
  {
    id: 'free',
    title: 'Free',
    description: 'Try it on your own notes.',
    price: { eur: 0, gbp: 0 },
    oldPrice: null,
    credits: { conversion: 10, assistant: 5 },
    highlight: false,
  },
  {
    id: 'starter_pack',
    title: 'Starter',
    description: 'A chapter or a few lectures.',
    price: { eur: 490, gbp: 490 },
    oldPrice: { eur: 790, gbp: 790 },
    credits: { conversion: 60, assistant: 30 },
    highlight: false,
  },
  {
    id: 'power_bundle',
    title: 'Power Bundle',
    description: 'A whole course of notes.',
    price: { eur: 790, gbp: 790 },
    oldPrice: { eur: 1190, gbp: 1190 },
    credits: { conversion: 130, assistant: 70 },
    highlight: true,
  },
] as const satisfies readonly Bundle[];

/** Every id has one. */
export function getBundle(id: BundleId): Bundle {
  return bundles.find((bundle) => bundle.id === id)!;
}

/** The code that students enter at checkout, and its discount on any bundle. */
export const studentCode = { code: 'STUDENT20', percentOff: 20 } as const;

/**
 * A price with a discount in percent, in hundredths. Halves round up, in the seller's favour by at most half a cent; no
 * bundle's price has one.
 */
export function discountPrice(price: number, percentOff: number): number {
  return price - Math.floor((price * percentOff + 49) / 100);
}

/**
 * @param country ISO 3166-1 alpha-2 code, in any case; null and everything except GB mean euros
 */
export function currencyOf(country: string | null): Currency {
  return country?.toUpperCase() === 'GB' ? 'gbp' : 'eur';
}

/** For an unknown country: GB for a host name that contains uk or gb, otherwise EU (specification, section 4). */
export function guessCountry(hostName: string): 'GB' | 'EU' {
  return /uk|gb/i.test(hostName) ? 'GB' : 'EU';
}

/** E.g. `€4.90`, `£7.90`; `€0` for nothing. */
export function formatPrice(price: number, currency: Currency): string {
  return new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency: currency.toUpperCase(),
    trailingZeroDisplay: 'stripIfInteger',
  }).format(price / 100);
}
