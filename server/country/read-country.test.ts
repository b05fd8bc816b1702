import { expect, test } from 'vitest';
import { readCountry } from './read-country.ts';

test.each([
  ['{"ip":"81.2.69.160","country":"GB"}', 'GB'],
  ['{"success":true,"country":"France","country_code":"FR"}', 'FR'],
  ['{"status":"success","country":"Germany","countryCode":"DE"}', 'DE'],
  ['{"country_code":null,"country":"IE"}', 'IE'],
  ['{"country":"gb"}', 'GB'],
  ['{"country":"UK"}', 'GB'],
  ['"NL"', 'NL'],
  ['GB', 'GB'],
  ['fr\n', 'FR'],
  ['\uFEFF{"country":"ES"}', 'ES'],
])('%j is %s', (text, country) => {
  expect(readCountry(text)).toBe(country);
});

test.each([
  '',
  '{}',
  'null',
  '42',
  '[]',
  '["GB"]',
  '{"country":',
  '{"country":"United Kingdom"}',
  '{"country":826}',
  '{"country":{"iso_code":"GB"}}',
  '{"success":false,"message":"Reserved range"}',
  '{"error":"rate limited"}',
  '<html>GB</html>',
  'GBR',
  'XX',
  'T1',
  '{"country":"EU"}',
  'QQ',
  '{"__proto__":{"country":"GB"}}',
])('%j is not a country', (text) => {
  expect(readCountry(text)).toBeNull();
});
