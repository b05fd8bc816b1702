import { expect, test } from 'vitest';
import {
  bundleIds,
  bundles,
  currencies,
  currencyOf,
  discountPrice,
  formatPrice,
  getBundle,
  guessCountry,
  highlightLabel,
  paidBundleIds,
  studentCode,
} from './bundles.ts';

test('the cards read as in the specification', () => {
  const rows = bundles.map(({ id, title, credits, price, oldPrice, highlight }) =>
    [
      title + (highlight ? ` (${id}, ${highlightLabel})` : ` (${id})`),
      credits.conversion,
      credits.assistant,
      ...currencies.map(
        (currency) =>
          formatPrice(price[currency], currency) +
          (oldPrice ? ` (was ${formatPrice(oldPrice[currency], currency)})` : ''),
      ),
    ].join(' | '),
  );
  expect(rows).toEqual([
    'Free (free) | 10 | 5 | €0 | £0',
    'Starter (starter_pack) | 60 | 30 | €4.90 (was €7.90) | £4.90 (was £7.90)',
    'Power Bundle (power_bundle, Most popular) | 130 | 70 | €7.90 (was €11.90) | £7.90 (was £11.90)',
  ]);
});

test('every id has a bundle, and all but the free one are sold', () => {
  expect(bundleIds.map((id) => getBundle(id).id)).toEqual(bundleIds);
  expect(bundles.filter(({ price }) => price.eur > 0).map(({ id }) => id)).toEqual(paidBundleIds);
  for (const { description } of bundles) expect(description).not.toBe('');
});

test.each([
  ['GB', 'gbp'],
  ['gb', 'gbp'],
  ['FR', 'eur'],
  ['IE', 'eur'],
  ['US', 'eur'],
  ['EU', 'eur'],
  ['', 'eur'],
  [null, 'eur'],
])('country %j pays in %s', (country, currency) => {
  expect(currencyOf(country)).toBe(currency);
});

test.each([
  ['inkproof.co.uk', 'GB'],
  ['GB.inkproof.example', 'GB'],
  ['inkproof.example', 'EU'],
  ['localhost', 'EU'],
])('without a country, %s counts as %s', (host, country) => {
  expect(guessCountry(host)).toBe(country);
});

test('the student code takes a fifth off, to the cent', () => {
  expect(studentCode).toEqual({ code: 'STUDENT20', percentOff: 20 });
  expect(discountPrice(490, 20)).toBe(392);
  expect(discountPrice(790, 20)).toBe(632);
  // no bundle's discount has half a cent, so no two ways of rounding can differ
  for (const { price } of bundles)
    for (const currency of currencies) expect((price[currency] * studentCode.percentOff) % 100).toBe(0);
});

test('a discounted price is a whole number of cents, never negative', () => {
  expect([0, 1, 2, 3, 25, 99, 100].map((percent) => discountPrice(490, percent))).toEqual([
    490, 485, 480, 475, 368, 5, 0,
  ]);
});
