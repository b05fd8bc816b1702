import { expect, test } from 'vitest';
import { parseEnv } from '#platform/env.ts';
import { gatherSiteFacts, writeFacts } from './write-facts.ts';

const page =
  '<head><meta name="site-facts" content=""/><link rel="canonical" href="https://inkproof.example/privacy"/></head>' +
  '<p data-if="reader-embedded">Read here.</p><p data-if="reader-own-model">Read by our <b>model</b>.</p>' +
  '<p data-if="reader-vendor">Read by <!-- -->%vendor%<!-- -->.</p><p data-if="countries">Asked: %country-services%.</p>' +
  '<ul><li data-if="payments">Stripe</li><li data-if="test-mode">No money</li></ul>' +
  '<a href="mailto:support@inkproof.example">support@inkproof.example</a>';

function write(settings: Record<string, string>): string {
  return writeFacts(page, gatherSiteFacts(parseEnv({ PUBLIC_URL: 'https://ink.test', ...settings })));
}

test.each([
  ['nothing set', {}, 'Read here.'],
  ['a vendor’s key', { AI_API_KEY: 'sk-ant-1' }, 'Read by <!-- -->Anthropic<!-- -->.'],
  ['a server elsewhere', { AI_BASE_URL: 'https://models.test/v1' }, 'Read by <!-- -->models.test<!-- -->.'],
  [
    'a vendor’s protocol elsewhere',
    { AI_PROVIDER: 'openai', AI_API_KEY: 'k', AI_BASE_URL: 'https://models.test/v1' },
    'Read by <!-- -->models.test<!-- -->.',
  ],
  ['a model on this machine', { AI_BASE_URL: 'http://localhost:11434/v1' }, 'Read by our <b>model</b>.'],
  ['a model in this house', { AI_BASE_URL: 'http://192.168.1.7/v1' }, 'Read by our <b>model</b>.'],
])('the page states which reader is used: %s', (_case, settings, expected) => {
  const text = write(settings).replace(/<head>.*<\/head>/, '');
  expect(text).toContain(expected);
  expect(text.match(/Read (here|by)/g)).toHaveLength(1);
});

test('addresses are those of this installation', () => {
  const text = write({ SUPPORT_EMAIL: 'ada@ink.test' });
  expect(text).toContain('<a href="mailto:ada@ink.test">ada@ink.test</a>');
  expect(text).toContain('href="https://ink.test/privacy"');
  expect(text).not.toContain('inkproof.example');
});

test('services that receive visitors’ addresses are named, others are not', () => {
  const services = 'https://a.test/{ip},https://b.test/mine,https://c.test/{ip}';
  expect(write({ GEOIP_URLS: services })).toContain('<p data-if="countries">Asked: a.test and c.test.</p>');
  expect(write({ GEOIP_URLS: 'https://b.test/mine' })).not.toContain('Asked');
  expect(write({ GEOIP_URLS: 'off' })).not.toContain('Asked');
});

test('payments are real only with a key', () => {
  expect(write({})).toContain('<ul><li data-if="test-mode">No money</li></ul>');
  expect(write({ STRIPE_SECRET_KEY: 'sk', STRIPE_WEBHOOK_SECRET: 'wh' })).toContain(
    '<ul><li data-if="payments">Stripe</li></ul>',
  );
});

test('the browser reads the same facts, whatever characters they have', () => {
  const content = /name="site-facts" content="([^"]*)"/.exec(
    write({ SUPPORT_EMAIL: "o'ada+bea@ink.test" }),
  )?.[1];
  const facts = JSON.parse(content!.replaceAll('&quot;', '"').replaceAll('&#39;', "'"));
  expect(facts).toMatchObject({ supportEmail: "o'ada+bea@ink.test", reader: 'embedded', hasPayments: false });
});
