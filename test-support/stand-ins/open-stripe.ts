/** The stand-in, Stripe's own SDK, and a webhook that checks signatures with it. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type StripeEvent, type StripeStandIn, startStripeStandIn } from './stripe-stand-in.ts';

interface Received {
  type: string;
  id: string;
  isGenuine: boolean;
  body: string;
}

export let standIn: StripeStandIn;
export let stripe: Stripe;
export let received: Received[];
/** Statuses of the webhook's next responses; then 200. */
export let answers: number[];
/** Address of the webhook. */
export let webhookUrl: string;

/** A new stand-in for each of a file's tests. */
export function openStripe(): void {
  const webhook = createServer(async (request, response) => {
    const body = await text(request);
    let isGenuine = true;
    try {
      stripe.webhooks.constructEvent(body, request.headers['stripe-signature'] ?? '', standIn.webhookSecret);
    } catch {
      isGenuine = false;
    }
    const { type, id } = JSON.parse(body) as { type: string; id: string };
    received.push({ type, id, isGenuine, body });
    response.writeHead(answers.shift() ?? 200).end();
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      webhook.listen(0, '127.0.0.1', resolve);
    });
    webhookUrl = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/hook`;
  });
  afterAll(async () => {
    await standIn?.close();
    webhook.closeAllConnections();
    webhook.close();
  });
  beforeEach(async () => {
    await standIn?.close();
    received = [];
    answers = [];
    standIn = await startStripeStandIn();
    standIn.deliveries.to(webhookUrl);
    stripe = new Stripe(standIn.secretKey, { ...standIn.clientOptions, maxNetworkRetries: 0 });
  });
}

export const order = (
  more: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  line_items: [
    { quantity: 1, price_data: { currency: 'eur', unit_amount: 490, product_data: { name: 'Starter' } } },
  ],
  client_reference_id: '00000000-0000-4000-8000-000000000001',
  customer_email: 'ada@example.com',
  metadata: { purchase_id: 'p1' },
  payment_intent_data: { metadata: { purchase_id: 'p1' } },
  allow_promotion_codes: true,
  success_url: 'https://notes.example/payment-success?session_id={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://notes.example/payment-cancelled',
  ...more,
});
export const paid = async (): Promise<Stripe.Checkout.Session> => {
  const session = await stripe.checkout.sessions.create(order());
  standIn.pay(session.id);
  return session;
};
export const refusal = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error(`no refusal: ${String(error)}`);
  const { statusCode, type, code, param } = error;
  return { statusCode, type, code, param };
};
export const typesOf = (events: StripeEvent[]) => events.map(({ type }) => type);
