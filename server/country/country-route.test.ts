/** The route over real sockets; the services are stand-ins on loopback. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { requestContext } from '../http/request/request-context.ts';
import type { AppEnv } from '../http/types.ts';
import { type CountryRouteDeps, registerCountryRoute } from './country-route.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
interface Service {
  url: string;
  /** Requested paths. */
  requests: string[];
}

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startService(answer: Answer): Promise<Service> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(response, request);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const json =
  (body: unknown): Answer =>
  (response) =>
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
const text =
  (body: string): Answer =>
  (response) =>
    response.end(body);
const never: Answer = () => {};

/** The route behind one trusted proxy; `ask` calls it from that address. */
async function startRoute(services: string[], options: Pick<CountryRouteDeps, 'serviceTimeoutMs'> = {}) {
  const log: string[] = [];
  const metrics = new Registry();
  const app = new OpenAPIHono<AppEnv>();
  app.use(requestContext(pino({ level: 'trace' }, { write: (line: string) => log.push(line) }), metrics));
  registerCountryRoute(app, {
    env: { GEOIP_URLS: services, TRUSTED_PROXIES: 1 },
    secretKey: 'k'.repeat(32),
    metrics,
    ...options,
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise<void>((resolve) => {
    if (server.listening) resolve();
    else server.once('listening', () => resolve());
  });
  closing.push(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const call = (address?: string) =>
    fetch(`http://127.0.0.1:${port}/api/v1/country`, {
      headers: address ? { 'X-Forwarded-For': address } : {},
    });
  return {
    call,
    ask: async (address?: string) =>
      ((await (await call(address)).json()) as { country: string | null }).country,
    log,
    metrics,
  };
}

const london = '81.2.69.160';

test('the first service is down, the second too slow, the third answers', async () => {
  const down = await startService((response) => response.socket?.destroy());
  const slow = await startService(never);
  const good = await startService(json({ ip: london, country: 'GB' }));
  const route = await startRoute([down, slow, good].map(({ url }) => `${url}/{ip}`));
  expect(await route.ask(london)).toBe('GB');
  expect([down.requests, slow.requests, good.requests]).toEqual([
    [`/${london}`],
    [`/${london}`],
    [`/${london}`],
  ]);
});

test('after an answer no other service is asked', async () => {
  const first = await startService(text('FR\n'));
  const second = await startService(text('GB'));
  const route = await startRoute([`${first.url}/v1/ip/country/{ip}`, `${second.url}/{ip}`]);
  expect(await route.ask('2a02:6b8:a1b2:c3d4:1111:2222:3333:4444')).toBe('FR');
  expect(first.requests).toEqual(['/v1/ip/country/2a02:6b8:a1b2:c3d4::']);
  expect(second.requests).toEqual([]);
});

const others: [string, Answer][] = [
  ['garbage', text('<html><body>GB</body></html>')],
  ['half a JSON', text('{"country":"GB"')],
  ['an error with a country in it', (response) => response.writeHead(429).end('{"country":"FR"}')],
  ['nothing', text('')],
  ['no country', json({ success: false, message: 'Reserved range' })],
  ['far too much', text(`{"country":"FR","padding":"${'x'.repeat(20_000)}"}`)],
  ['a redirection', (response) => response.writeHead(302, { Location: '/elsewhere' }).end()],
  [
    'half an answer',
    (response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('FR');
      setTimeout(() => response.destroy(), 20);
    },
  ],
];
test.each(others)('if a service answers with %s, the next one is asked', async (_, answer) => {
  const odd = await startService(answer);
  const good = await startService(json({ country: 'United Kingdom', country_code: 'GB' }));
  const route = await startRoute([`${odd.url}/{ip}`, `${good.url}/json/{ip}?fields=country_code`]);
  expect(await route.ask(london)).toBe('GB');
  // redirects are not followed: they would send the address to a service nobody chose
  expect(odd.requests).toEqual([`/${london}`]);
  expect(good.requests).toEqual([`/json/${london}?fields=country_code`]);
});

test('an endless answer is abandoned', async () => {
  let chunks = 0;
  const endless = await startService((response) => {
    const timer = setInterval(() => {
      chunks++;
      response.write('x'.repeat(4096));
    }, 1);
    response.on('close', () => clearInterval(timer));
  });
  const route = await startRoute([`${endless.url}/{ip}`]);
  expect(await route.ask(london)).toBeNull();
  expect(chunks).toBeLessThan(1000);
});

test.each([undefined, '127.0.0.1', '::1', '192.168.1.7', '10.0.0.1', 'fd00::1', 'unknown'])(
  'a caller’s address %s is sent to nobody',
  async (address) => {
    const service = await startService(text('GB'));
    const route = await startRoute([`${service.url}/{ip}`]);
    expect(await route.ask(address)).toBeNull();
    expect(service.requests).toEqual([]);
  },
);

test('a service without {ip} is asked without the address, once for everybody', async () => {
  const service = await startService(json({ countryCode: 'GB' }));
  const route = await startRoute([`${service.url}/json`]);
  expect([await route.ask('192.168.1.7'), await route.ask(london)]).toEqual(['GB', 'GB']);
  expect(service.requests).toEqual(['/json', '/json']);
});

test('a network is looked up once, even for many concurrent callers', async () => {
  const service = await startService((response) => {
    setTimeout(() => response.end('GB'), 50);
  });
  const route = await startRoute([`${service.url}/{ip}`]);
  const same = await Promise.all(Array.from({ length: 8 }, () => route.ask(london)));
  expect(new Set(same)).toEqual(new Set(['GB']));
  expect(await route.ask(london)).toBe('GB');
  expect(await route.ask('81.2.69.161')).toBe('GB');
  expect(service.requests).toEqual([`/${london}`, '/81.2.69.161']);
  // an unknown country is not looked up again at once either
  const silent = await startService(text(''));
  const unknown = await startRoute([`${silent.url}/{ip}`]);
  expect([await unknown.ask(london), await unknown.ask(london)]).toEqual([null, null]);
  expect(silent.requests).toHaveLength(1);
});

test('many new visitors do not flood the services', async () => {
  let waiting: ServerResponse[] = [];
  const service = await startService((response) => void waiting.push(response));
  // nobody is aborted while the test counts the waiting calls
  const route = await startRoute([`${service.url}/{ip}`], { serviceTimeoutMs: 60_000 });
  const answers: (string | null)[] = [];
  const requests = Array.from({ length: 40 }, async (_, number) => {
    answers.push(await route.ask(`81.2.${number}.1`));
    return number;
  });
  await expect.poll(() => answers).toEqual(Array.from({ length: 24 }, () => null));
  await expect.poll(() => waiting.length).toBe(16);
  for (const response of waiting) response.end('GB');
  await Promise.all(requests);
  expect(answers.slice(24)).toEqual(Array.from({ length: 16 }, () => 'GB'));
  const lookedUp = new Set(service.requests);
  const refused = Array.from({ length: 40 }, (_, number) => `81.2.${number}.1`).find(
    (address) => !lookedUp.has(`/${address}`),
  );
  waiting = [];
  // rejected calls are not cached as unknown
  const again = route.ask(refused);
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]!.end('GB');
  expect(await again).toBe('GB');
});

test('addresses are in no log line or metric, cookies are not set, answers not cached', async () => {
  const service = await startService((response) => response.writeHead(500).end(`no data for ${london}`));
  const route = await startRoute([`${service.url}/{ip}`]);
  const answer = await route.call(london);
  expect(await answer.json()).toEqual({ country: null });
  expect(answer.headers.get('Set-Cookie')).toBeNull();
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  const metrics = await route.metrics.metrics();
  expect(metrics).toContain('inkproof_country_lookups_total{service="1",outcome="failed"} 1');
  expect(route.log.join('')).toContain('/api/v1/country');
  expect(route.log.join('') + metrics).not.toContain('81.2.69');
});
