import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseEnv, settingNames } from './env.ts';

const operations = readFileSync(path.resolve(import.meta.dirname, '../docs/operations.md'), 'utf8');

test('docs/operations.md lists exactly the existing settings, with their defaults', () => {
  const table = operations.slice(operations.indexOf('| Setting |'), operations.indexOf('## Ports'));
  const rows = [...table.matchAll(/^\| `([A-Z0-9_]+)` \| (.+?) \|/gm)];
  expect(rows.map((row) => row[1]).sort()).toEqual([...settingNames].sort());
  const defaults: Record<string, unknown> = parseEnv({});
  for (const [, name = '', text = ''] of rows) {
    const literal = /^`([^`]+)`$/.exec(text)?.[1];
    if (
      literal === undefined ||
      literal.includes('PORT') ||
      name === 'API_URL' ||
      literal.includes('DATA_DIR')
    )
      continue;
    expect(`${name}=${String(defaults[name])}`).toBe(`${name}=${literal}`);
  }
});

test('without any settings the product runs only on this machine, with the embedded services', () => {
  expect(parseEnv({})).toMatchObject({
    PUBLIC_URL: 'http://localhost:3000',
    API_URL: 'http://localhost:3000',
    ROLES: ['web', 'worker'],
    hasVisionModel: false,
  });
});

test('an empty value counts as unset, and a relative folder is below the working folder', () => {
  const env = parseEnv({ PORT: '', AI_API_KEY: '', DATA_DIR: 'somewhere' });
  expect(env.PORT).toBe(3000);
  expect(env.hasVisionModel).toBe(false);
  expect(env.DATA_DIR).toBe(path.resolve('somewhere'));
});

test.each([
  [{ PORT: 'secret-70000' }, 'PORT'],
  [{ ROLES: 'web,secret' }, 'ROLES'],
  [{ PUBLIC_URL: 'secret' }, 'PUBLIC_URL'],
  [{ AI_PROVIDER: 'openai-compatible' }, 'AI_BASE_URL'],
  [{ DATABASE_URL: 'postgres://secret@db/ink' }, 'SECRET_KEY'],
  [{ SECRET_KEY: 'secret' }, 'SECRET_KEY'],
  [{ MEMORY_LIMIT: 'secret' }, 'MEMORY_LIMIT'],
  [{ MEMORY_LIMIT: '400M' }, 'MEMORY_LIMIT'],
])('%j is refused with its name, without its value', (settings, name) => {
  const refuse = () => parseEnv(settings);
  expect(refuse).toThrow(new RegExp(`\\b${name}: `));
  expect(refuse).not.toThrow(/secret/);
});

test('memory is limited in megabytes or gigabytes', () => {
  expect(parseEnv({ MEMORY_LIMIT: '1500M' }).MEMORY_LIMIT).toBe(1500 * 2 ** 20);
  expect(parseEnv({ MEMORY_LIMIT: '1.5G' }).MEMORY_LIMIT).toBe(1536 * 2 ** 20);
});

test('errors in settings are explained in words', () => {
  expect(() => parseEnv({ PORT: 'seven', SECRET_KEY: 'short', LOG_LEVEL: 'loud' })).toThrow(
    /PORT: it has to be a number\..*SECRET_KEY: .*LOG_LEVEL: it has to be one of trace, debug, /s,
  );
});

test('geolocation services: three by default, one’s own list, or none', () => {
  expect(parseEnv({}).GEOIP_URLS).toHaveLength(3);
  for (const service of parseEnv({}).GEOIP_URLS) expect(service).toMatch(/^https:.*\{ip\}/);
  expect(parseEnv({ GEOIP_URLS: 'http://127.0.0.1:81/{ip}, http://127.0.0.1:82/json' }).GEOIP_URLS).toEqual([
    'http://127.0.0.1:81/{ip}',
    'http://127.0.0.1:82/json',
  ]);
  expect(parseEnv({ GEOIP_URLS: 'off' }).GEOIP_URLS).toEqual([]);
});

test.each([
  [{ STRIPE_SECRET_KEY: 'hush' }, 'STRIPE_WEBHOOK_SECRET'],
  [{ STRIPE_API_BASE: 'http://127.0.0.1:9000/hush' }, 'STRIPE_API_BASE'],
  [{ GEOIP_URLS: 'https://a.example/{ip},hush' }, 'GEOIP_URLS'],
  [{ GEOIP_URLS: 'ftp://hush.example/{ip}' }, 'GEOIP_URLS'],
  [{ GEOIP_URLS: 'https://ada:hush@a.example/{ip}' }, 'GEOIP_URLS'],
])('of payments and countries, %j is refused with its name', (settings, name) => {
  const refuse = () => parseEnv(settings);
  expect(refuse).toThrow(new RegExp(`\\b${name}: `));
  expect(refuse).not.toThrow(/hush/);
});
