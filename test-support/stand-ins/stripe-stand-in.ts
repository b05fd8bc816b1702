/**
 * A Stripe on loopback that Stripe's own SDK talks to: checkout, payments, refunds, disputes, codes, events,
 * and signed webhooks. A test acts as the buyer, the bank and the operator: it pays, fails, refunds and
 * disputes, and decides how events travel. Everything is kept in memory. Unknown requests are refused, as
 * Stripe does. For a browser there is the local checkout's page instead (server/credits/checkout/local/).
 */

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createStripeAccount, type StripeAccount } from './stripe/account.ts';
import { answerCall } from './stripe/api.ts';
import { createDeliveries, type Deliveries } from './stripe/deliveries.ts';
import { parseForm, StripeRefusal } from './stripe/form.ts';
import { newId } from './stripe/objects.ts';

export type { StripeEvent } from './stripe/objects.ts';

export interface StripeCall {
  method: string;
  path: string;
  idempotencyKey: string | null;
  /** HTTP status of the response. */
  status: number;
}

export interface Fault {
  /**
   * - `refuse`: 503, nothing is done.
   * - `lose-answer`: the call is carried out and the connection cut before the response.
   * - `rate-limit`: 429, nothing is done.
   */
  kind: 'refuse' | 'lose-answer' | 'rate-limit';
  /** Calls whose path begins with this; default: all. */
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

/** Actions return the events they cause, in the order in which they happen, which are already being sent. */
export interface StripeStandIn extends Actions {
  /** For STRIPE_API_BASE. */
  url: string;
  /** For STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET. */
  secretKey: string;
  webhookSecret: string;
  /** For `new Stripe(secretKey, clientOptions)`. */
  clientOptions: { host: string; port: number; protocol: 'http' };
  deliveries: Deliveries;
  /** Every object, by id, e.g. all events. */
  account: Pick<StripeAccount, 'objects' | 'get' | 'all' | 'chargeOf'>;
  calls: StripeCall[];
  /** Faults of the next calls. */
  faults: Fault[];
  close(): Promise<void>;
}

interface Stored {
  fingerprint: string;
  status: number;
  body: string;
}

/** Events are sent nowhere until `deliveries.to`. */
export async function startStripeStandIn(): Promise<StripeStandIn> {
  const secretKey = newId('sk_test');
  const webhookSecret = newId('whsec');
  const { deliveries, emit } = createDeliveries(webhookSecret);
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
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = new URL(request.url ?? '/', url);
    const body = await text(request);
    if (target.pathname.startsWith('/v1/')) return handleApi(request, response, target, body);
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
      // a refused call started nothing, so its key stays free
      if (!(error instanceof StripeRefusal)) throw error;
      refuse(error);
    }
  };

  const { pay, payLater, finishPayment, decline, expire, refund, finishRefund, dispute, closeDispute } =
    account;
  return {
    pay,
    payLater,
    finishPayment,
    decline,
    expire,
    refund,
    finishRefund,
    dispute,
    closeDispute,
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

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
