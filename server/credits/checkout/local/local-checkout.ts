/**
 * The local checkout in test mode, for an installation without a Stripe key: the page, and the events it sends
 * to our own webhook over HTTP, signed like Stripe's. From there on all code is shared.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { and, eq } from 'drizzle-orm';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Env } from '#platform/env.ts';
import type { Database } from '#server/database/database.ts';
import { allow } from '#server/http/access.ts';
import { ownOriginsOnly } from '#server/http/request/origins.ts';
import type { AppEnv } from '#server/http/types.ts';
import { returnAddresses } from '../begin-checkout.ts';
import { sumOwed } from '../billing-history.ts';
import type { Purchase } from '../events/merge-facts.ts';
import { playPurchase, signEvent, type WrittenEvent } from '../events/played-events.ts';
import { webhookPath } from '../events/webhook-route.ts';
import type { PaymentService } from '../payment-service.ts';
import { purchases } from '../schema.ts';
import { describeCheckoutPolicy, isStudentCode, priceWithCode, renderCheckout } from './checkout-page.ts';

export interface LocalCheckoutDeps {
  env: Pick<Env, 'PUBLIC_URL' | 'API_URL' | 'HOST' | 'PORT'>;
  db: Database;
  service: Pick<PaymentService, 'webhookSecret'>;
}

/** As made by `localCheckoutPath`. */
const path = '/local-checkout/:id{cs_local_[0-9a-f]{48}}';
/** Longest form accepted from the page, in bytes. */
const maxFormBytes = 10_000;
/** How long a checkout can be paid, in ms: as at Stripe. */
const openForMs = 24 * 60 * 60_000;
/** Deliveries of one event to try, and the wait between them, in ms. */
const deliveryTries = 3;
const deliveryWaitMs = 250;

/**
 * GET and POST /local-checkout/{id}. The id is 24 random bytes known only to the buyer; the browser brings no
 * session, because sessions are not kept in cookies.
 */
export function registerLocalCheckout(app: OpenAPIHono<AppEnv>, deps: LocalCheckoutDeps): void {
  const { env, db } = deps;
  const policy = describeCheckoutPolicy(new URL(env.PUBLIC_URL).origin);
  const addresses = returnAddresses(env);

  const show = async (
    c: Context<AppEnv>,
    purchase: Purchase,
    {
      code = '',
      message = null,
      status = 200,
    }: { code?: string; message?: string | null; status?: 200 | 400 | 402 | 502 } = {},
  ) => {
    const owed =
      purchase.userId === null ? { conversion: 0, assistant: 0 } : await sumOwed(db, purchase.userId);
    const html = renderCheckout({
      purchase,
      code,
      message,
      owed,
      successUrl: `${addresses.success}${purchase.sessionId}`,
      cancelUrl: addresses.cancel,
    });
    return c.html(html, status, { 'Content-Security-Policy': policy });
  };

  app.use('/local-checkout/*', ownOriginsOnly(env), bodyLimit({ maxSize: maxFormBytes }));

  app.get(path, allow('own-rule'), async (c, next) => {
    const purchase = await find(db, c.req.param('id'));
    if (!purchase) return next();
    if (purchase.state !== 'open' || Date.now() - purchase.createdAt.getTime() < openForMs)
      return show(c, purchase);
    await deliver(deps, [playPurchase(purchase).expired()]);
    return show(c, (await find(db, c.req.param('id'))) ?? purchase);
  });

  app.post(path, allow('own-rule'), async (c, next) => {
    const purchase = await find(db, c.req.param('id'));
    if (!purchase) return next();
    const form = new URLSearchParams(await c.req.text());
    const code = form.get('promotion_code') ?? '';
    const action = form.get('action') ?? '';
    if (purchase.state === 'open' && code.trim() !== '' && !isStudentCode(code))
      return show(c, purchase, { code, message: 'This promotion code is invalid.', status: 400 });
    const events = listEvents(purchase, action, code);
    if (events === null) return show(c, purchase, { code });
    if (!(await deliver(deps, events)))
      return show(c, purchase, {
        code,
        message: 'The payment could not be processed. Nothing was credited; please try again.',
        status: 502,
      });
    if (action === 'decline')
      return show(c, purchase, { code, message: 'Your card was declined. Try another one.', status: 402 });
    // as at Stripe, the buyer returns at once; the payment's outcome is chosen on this page later
    return c.redirect(`${addresses.success}${purchase.sessionId}`, 303);
  });
}

async function find(db: Database, sessionId: string): Promise<Purchase | null> {
  const [purchase] = await db
    .select()
    .from(purchases)
    .where(and(eq(purchases.sessionId, sessionId), eq(purchases.mode, 'local')));
  return purchase ?? null;
}

/** The events that a buyer's action causes; null if the action is unknown or comes at the wrong time. */
function listEvents(purchase: Purchase, action: string, code: string): WrittenEvent[] | null {
  const played = playPurchase(purchase);
  if (purchase.state === 'open') {
    const total = priceWithCode(purchase.price, code);
    if (action === 'pay') return [played.charged(), played.paid(total)];
    if (action === 'pay-later') return [played.completedUnpaid(total)];
    if (action === 'decline') return [played.declined()];
  }
  if (purchase.state === 'processing') {
    if (action === 'money-came') return [played.charged(), played.asyncSucceeded()];
    if (action === 'money-failed') return [played.asyncFailed()];
  }
  return null;
}

/** Posts each event to our own webhook. @returns false if one was not accepted */
async function deliver(deps: LocalCheckoutDeps, events: readonly WrittenEvent[]): Promise<boolean> {
  for (const event of events) if (!(await deliverOne(deps, event))) return false;
  return true;
}

async function deliverOne({ env, service }: LocalCheckoutDeps, event: WrittenEvent): Promise<boolean> {
  const body = JSON.stringify(event);
  for (let tries = 1; tries <= deliveryTries; tries++) {
    if (tries > 1) await sleep(deliveryWaitMs);
    try {
      const answer = await fetch(`${listenAddress(env)}${webhookPath}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'Stripe-Signature': signEvent(body, service.webhookSecret),
        },
        body,
        signal: AbortSignal.timeout(30_000),
      });
      await answer.body?.cancel();
      if (answer.ok) return true;
    } catch {
      // no answer: try again
    }
  }
  return false;
}

/** The address at which this process reaches itself. */
function listenAddress({ HOST, PORT }: Pick<Env, 'HOST' | 'PORT'>): string {
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const host = everywhere[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST);
  return `http://${host}:${PORT}`;
}
