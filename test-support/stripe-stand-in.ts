/**
 * A Stripe on loopback that Stripe's own SDK talks to: checkout, payments, refunds, disputes, codes, events, and signed
 * webhooks. A test is the buyer, the bank and the operator: it pays, fails, refunds and disputes, and says how events
 * travel. Everything is kept in memory. What it does not know it refuses, as Stripe does.
 *
 * As a program, for browsers: `node test-support/stripe-stand-in.ts --port N --webhook URL --key SK --secret WHSEC`.
 * `POST /_control` with `{"do": "refund", "with": [SESSION_ID, 100]}` calls the function of that name.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { createStripeAccount, type StripeAccount } from './stripe/account.ts';
import { answerCall } from './stripe/api.ts';
import { renderCheckoutPage, renderNotice } from './stripe/checkout-page.ts';
import { createDeliveries, type Deliveries } from './stripe/deliveries.ts';
import { parseForm, StripeRefusal } from './stripe/form.ts';
import { type CheckoutSession, newId } from './stripe/objects.ts';

export type { StripeEvent } from './stripe/objects.ts';

export interface StripeCall {
  method: string;
  path: string;
  idempotencyKey: string | null;
  /** HTTP status of the answer. */
  status: number;
}

export interface Fault {
  /**
   * - `refuse`: 503, nothing is done.
   * - `lose-answer`: the call is carried out and the connection cut before the answer.
   * - `rate-limit`: 429, nothing is done.
   */
  kind: 'refuse' | 'lose-answer' | 'rate-limit';
  /** Calls whose path begins so; default: all. */
  path?: string;
  times: number;
}

type Actions = Pick<
  StripeAccount,
  | 'pay'
  | 'payLater'
  | 'finishPayment'
  | 'decline'
  | 'expire'
  | 'refund'
  | 'finishRefund'
  | 'dispute'
  | 'closeDispute'
>;

/** Actions return the events they cause, in the order in which they happen; those are on their way by then. */
export interface StripeStandIn extends Actions {
  /** For STRIPE_API_BASE. */
  url: string;
  /** For STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET. */
  secretKey: string;
  webhookSecret: string;
  /** For `new Stripe(secretKey, clientOptions)`. */
  clientOptions: { host: string; port: number; protocol: 'http' };
  deliveries: Deliveries;
  /** Everything there is, by id, e.g. all events. */
  account: Pick<StripeAccount, 'objects' | 'get' | 'all' | 'chargeOf'>;
  calls: StripeCall[];
  /** What goes wrong with the next calls. */
  faults: Fault[];
  close(): Promise<void>;
}

interface Options {
  port?: number;
  /** Where events go; default: nowhere until `deliveries.to`. */
  webhookUrl?: string;
  secretKey?: string;
  webhookSecret?: string;
}

/** How long the page waits for the seller to take the events, in ms: Stripe's own 10 s. */
const pageWaitMs = 10_000;

interface Stored {
  fingerprint: string;
  status: number;
  body: string;
}

export async function startStripeStandIn(options: Options = {}): Promise<StripeStandIn> {
  const secretKey = options.secretKey ?? newId('sk_test');
  const webhookSecret = options.webhookSecret ?? newId('whsec');
  const { deliveries, emit } = createDeliveries(webhookSecret);
  deliveries.to(options.webhookUrl ?? null);
  let url = '';
  const account = createStripeAccount(emit, () => url);
  const stored = new Map<string, Stored>();
  const calls: StripeCall[] = [];
  const faults: Fault[] = [];

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: { type: 'api_error', message: String(error) } });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = new URL(request.url ?? '/', url);
    const body = await readBody(request);
    if (target.pathname.startsWith('/v1/')) return handleApi(request, response, target, body);
    if (target.pathname.startsWith('/c/pay/')) return handlePage(request, response, target, body);
    if (target.pathname.startsWith('/receipts/')) return sendHtml(response, 200, renderNotice('Receipt'));
    if (target.pathname === '/_control' && request.method === 'POST') return handleControl(response, body);
    sendJson(response, 404, {
      error: { type: 'invalid_request_error', message: 'Unrecognized request URL' },
    });
  };

  const handleApi = async (request: IncomingMessage, response: ServerResponse, target: URL, body: string) => {
    const method = request.method ?? 'GET';
    const header = request.headers['idempotency-key'];
    const idempotencyKey = typeof header === 'string' && method === 'POST' ? header : null;
    const requestId = newId('req');
    response.setHeader('Request-Id', requestId);
    const send = (status: number, text: string) => {
      calls.push({ method, path: target.pathname, idempotencyKey, status });
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
    };
    const refuse = (refusal: StripeRefusal) =>
      send(
        refusal.status,
        JSON.stringify({
          error: { ...refusal.body, message: refusal.message, request_log_url: `${url}/logs/${requestId}` },
        }),
      );

    if (!isOurKey(request, secretKey))
      return refuse(new StripeRefusal(401, 'Invalid API Key provided: sk_test_****'));
    const fault = faults.find(({ times, path = '' }) => times > 0 && target.pathname.startsWith(path));
    if (fault) fault.times--;
    if (fault?.kind === 'refuse')
      return refuse(new StripeRefusal(503, 'Service unavailable', { type: 'api_error' }));
    if (fault?.kind === 'rate-limit')
      return refuse(new StripeRefusal(429, 'Too many requests', { code: 'rate_limit' }));

    const fingerprint = createHash('sha256').update(`${method} ${target.pathname}\n${body}`).digest('hex');
    const known = idempotencyKey === null ? undefined : stored.get(idempotencyKey);
    if (known && known.fingerprint !== fingerprint)
      return refuse(
        new StripeRefusal(
          400,
          `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${idempotencyKey}' if you meant to execute a different request.`,
          { type: 'idempotency_error' },
        ),
      );
    if (known) {
      response.setHeader('Idempotent-Replayed', 'true');
      return send(known.status, known.body);
    }

    try {
      const form = parseForm(method === 'POST' ? body : target.search);
      const result = answerCall(account, { method, path: target.pathname, form }, url);
      const text = JSON.stringify(result);
      if (idempotencyKey !== null) stored.set(idempotencyKey, { fingerprint, status: 200, body: text });
      if (fault?.kind === 'lose-answer') {
        calls.push({ method, path: target.pathname, idempotencyKey, status: 200 });
        response.destroy();
        return;
      }
      send(200, text);
    } catch (error) {
      // a refused call began nothing, so its key stays free
      if (!(error instanceof StripeRefusal)) throw error;
      refuse(error);
    }
  };

  const handlePage = async (
    request: IncomingMessage,
    response: ServerResponse,
    target: URL,
    body: string,
  ) => {
    const session = account.objects.get(target.pathname.slice('/c/pay/'.length)) as
      | CheckoutSession
      | undefined;
    if (session?.object !== 'checkout.session') return sendHtml(response, 404, renderNotice('No such page.'));
    if (session.status !== 'open')
      return sendHtml(response, 410, renderNotice('This page is no longer open.'));
    const items = account.details.get(session.id)?.items ?? [];
    if (request.method !== 'POST') return sendHtml(response, 200, renderCheckoutPage(session, items));
    const form = new URLSearchParams(body);
    const given = (name: string) => form.get(name)?.trim() || undefined;
    const entered = { email: given('email'), promotionCode: given('promotion_code') };
    try {
      if (form.get('action') === 'decline') {
        account.decline(session.id);
        return sendHtml(response, 402, renderCheckoutPage(session, items, 'Your card was declined.'));
      }
      if (form.get('action') === 'pay-later') account.payLater(session.id, entered);
      else account.pay(session.id, entered);
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      return sendHtml(response, 400, renderCheckoutPage(session, items, error.message));
    }
    await Promise.race([
      deliveries.settled(),
      new Promise((resolve) => setTimeout(resolve, pageWaitMs).unref()),
    ]);
    const back = session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
    response.writeHead(303, { Location: back }).end();
  };

  const handleControl = async (response: ServerResponse, body: string) => {
    const order = JSON.parse(body) as { do: string; with?: unknown[] };
    const action = actions[order.do as keyof Actions] as ((...parts: unknown[]) => unknown) | undefined;
    if (!action) return sendJson(response, 404, { error: `nothing is called ${order.do}` });
    try {
      const result = action(...(order.with ?? []));
      await deliveries.settled();
      sendJson(response, 200, { result });
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      sendJson(response, error.status, { error: error.message });
    }
  };

  const { pay, payLater, finishPayment, decline, expire, refund, finishRefund, dispute, closeDispute } =
    account;
  const actions: Actions = {
    pay,
    payLater,
    finishPayment,
    decline,
    expire,
    refund,
    finishRefund,
    dispute,
    closeDispute,
  };
  return {
    ...actions,
    url,
    secretKey,
    webhookSecret,
    clientOptions: { host: '127.0.0.1', port, protocol: 'http' },
    deliveries,
    account,
    calls,
    faults,
    async close() {
      await deliveries.settled();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function isOurKey(request: IncomingMessage, secretKey: string): boolean {
  const header = request.headers.authorization ?? '';
  const basic = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`;
  return header === `Bearer ${secretKey}` || header === basic;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function sendHtml(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(body);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      webhook: { type: 'string' },
      key: { type: 'string' },
      secret: { type: 'string' },
    },
  });
  const standIn = await startStripeStandIn({
    port: Number(values.port),
    webhookUrl: values.webhook,
    secretKey: values.key,
    webhookSecret: values.secret,
  });
  console.log(standIn.url);
}
