/** Buying a bundle: the calls up to the payment service's own page. */
import { z } from 'zod';
import { paidBundleIds } from './bundles.ts';

/** A country as the browser found it: ISO 3166-1 alpha-2, or EU where it found none. Stored in capitals. */
const CountryCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'a country is two letters')
  .meta({ examples: ['GB', 'FR', 'EU'] });

/**
 * POST /api/v1/create-checkout-session, with a bearer token. The country decides the currency and nothing else; price,
 * quantity and buyer are the server's to say, and anything else that is sent is dropped.
 */
export const CheckoutRequest = z
  .object({
    bundle_type: z.enum(paidBundleIds),
    country_code: CountryCode.default('EU'),
  })
  .meta({ id: 'CheckoutRequest' });
export type CheckoutRequest = z.infer<typeof CheckoutRequest>;

/** Where the browser goes to pay. */
export const CheckoutResponse = z.object({ url: z.url() }).meta({ id: 'CheckoutResponse' });
export type CheckoutResponse = z.infer<typeof CheckoutResponse>;

/** GET /api/v1/country: where the caller seems to be, ISO 3166-1 alpha-2; null where that could not be found. */
export const CountryResponse = z
  .object({
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .nullable(),
  })
  .meta({ id: 'CountryResponse' });
export type CountryResponse = z.infer<typeof CountryResponse>;
