/** Buying a bundle: the calls before the payment service's page. */
import { z } from 'zod';
import { paidBundleIds } from './bundles.ts';

/** A country as determined by the browser: ISO 3166-1 alpha-2, or EU if unknown. Stored in capitals. */
const CountryCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'a country is two letters')
  .meta({ examples: ['GB', 'FR', 'EU'] });

/**
 * POST /api/v1/create-checkout-session, with a bearer token. The country decides the currency and nothing else; price,
 * quantity and buyer are decided by the server, and anything else that is sent is ignored.
 */
export const CheckoutRequest = z
  .object({
    bundle_type: z.enum(paidBundleIds),
    country_code: CountryCode.default('EU'),
  })
  .meta({ id: 'CheckoutRequest' });
export type CheckoutRequest = z.infer<typeof CheckoutRequest>;

/** The address of the payment page. */
export const CheckoutResponse = z.object({ url: z.url() }).meta({ id: 'CheckoutResponse' });
export type CheckoutResponse = z.infer<typeof CheckoutResponse>;

/** GET /api/v1/country: the caller's apparent country, ISO 3166-1 alpha-2; null if unknown. */
export const CountryResponse = z
  .object({
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .nullable(),
  })
  .meta({ id: 'CountryResponse' });
export type CountryResponse = z.infer<typeof CountryResponse>;
