import { expect, test } from 'vitest';
import { readCountry } from './country.ts';

test('a country is two capital letters; anything else is none', () => {
  expect(readCountry({ country: 'GB' })).toBe('GB');
  expect(readCountry({ country: 'fr' })).toBe('FR');
  for (const body of [{ country: null }, { country: 'GBR' }, { country: 7 }, {}, null, 'GB', [], undefined])
    expect(readCountry(body)).toBeNull();
});
