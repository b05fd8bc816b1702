import { expect, test } from 'vitest';
import { CheckoutRequest, CheckoutResponse, CountryResponse } from './checkout.ts';

test('a checkout is a bundle and a country; whatever else is sent is dropped', () => {
  const sent = {
    bundle_type: 'starter_pack',
    country_code: 'gb',
    quantity: 100,
    price: 1,
    unit_amount: 1,
    currency: 'jpy',
    user_id: '00000000-0000-4000-8000-000000000001',
  };
  expect(CheckoutRequest.parse(sent)).toEqual({ bundle_type: 'starter_pack', country_code: 'GB' });
});

test('without a country the buyer is assumed to be in the EU', () => {
  expect(CheckoutRequest.parse({ bundle_type: 'power_bundle' }).country_code).toBe('EU');
});

test.each([
  [{ bundle_type: 'free', country_code: 'FR' }],
  [{ bundle_type: 'gold', country_code: 'FR' }],
  [{ bundle_type: ['starter_pack'], country_code: 'FR' }],
  [{ country_code: 'FR' }],
  [{ bundle_type: 'starter_pack', country_code: 'France' }],
  [{ bundle_type: 'starter_pack', country_code: '' }],
  [{ bundle_type: 'starter_pack', country_code: 44 }],
])('%j is not a checkout', (sent) => {
  expect(CheckoutRequest.safeParse(sent).success).toBe(false);
});

test('the answer is an address to open', () => {
  expect(CheckoutResponse.safeParse({ url: 'https://checkout.stripe.com/c/pay/cs_test_1' }).success).toBe(
    true,
  );
  expect(CheckoutResponse.safeParse({ url: '/pay' }).success).toBe(false);
});

test('a country is two capitals or nothing', () => {
  expect(CountryResponse.parse({ country: 'GB' })).toEqual({ country: 'GB' });
  expect(CountryResponse.parse({ country: null })).toEqual({ country: null });
  expect(CountryResponse.safeParse({ country: 'gb' }).success).toBe(false);
});
