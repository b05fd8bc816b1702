/**
 * How events reach the seller: signed, sent over HTTP, and on request lost, duplicated, late, out of order or
 * forged.
 */
import { setTimeout as wait } from 'node:timers/promises';
import Stripe from 'stripe';
import type { StripeEvent } from './objects.ts';

export interface Delivery {
  eventId: string;
  type: string;
  /** HTTP status of the response; null without one. */
  status: number | null;
  answer: string;
}

export interface DeliveryPlan {
  /** 0 loses the event. Default: 1. */
  copies?: number;
  /** Sent after all others (`settled`). */
  isLate?: boolean;
}

export interface SendOptions {
  /** Seconds since 1970 in the signature. Default: now. */
  timestamp?: number;
  secret?: string;
  /** Sent instead of the event's own JSON, under the signature of that JSON. */
  body?: string;
  /** The whole Stripe-Signature header; null sends none. */
  signature?: string | null;
}

export interface Deliveries {
  /** Where events are sent from now on; null: nowhere. */
  to(url: string | null): void;
  /** How each event is delivered; null: once, immediately. */
  plan: ((event: StripeEvent) => DeliveryPlan) | null;
  /** How often a response other than 2xx is retried, each time after `retryDelayMs`. Default: 0 and 50. */
  retries: number;
  retryDelayMs: number;
  /** Holds events back until `release`. */
  hold(): void;
  /** Sends the held events one after the other, in the given order; default: as they happened. */
  release(order?: (held: StripeEvent[]) => StripeEvent[]): Promise<Delivery[]>;
  /** Sends one event, again or for the first time. */
  send(event: StripeEvent, options?: SendOptions): Promise<Delivery>;
  /** Sends late events once no others are being sent, and waits for them. */
  settled(): Promise<void>;
  log: Delivery[];
}

/** For the stand-in's own use: an event has happened. */
export type Emit = (event: StripeEvent) => void;

export function createDeliveries(secret: string): { deliveries: Deliveries; emit: Emit } {
  let target: string | null = null;
  let held: StripeEvent[] | null = null;
  /** Events are sent in the order in which they happened; a late one lets the others pass. */
  let line: Promise<unknown> = Promise.resolve();
  const late: StripeEvent[] = [];
  const underWay = new Set<Promise<unknown>>();
  const track = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    work.finally(() => underWay.delete(work)).catch(() => {});
    return work;
  };

  const deliveries: Deliveries = {
    to(url) {
      target = url;
    },
    plan: null,
    retries: 0,
    retryDelayMs: 50,
    hold() {
      held ??= [];
    },
    async release(order = (events) => events) {
      const events = order(held ?? []);
      held = null;
      const sent: Delivery[] = [];
      for (const event of events) sent.push(await deliveries.send(event));
      return sent;
    },
    async send(event, options = {}) {
      const { timestamp, body, signature } = options;
      const payload = JSON.stringify(event);
      const header =
        signature === undefined
          ? Stripe.webhooks.generateTestHeaderString({ payload, secret: options.secret ?? secret, timestamp })
          : signature;
      const delivery: Delivery = { eventId: event.id, type: event.type, status: null, answer: '' };
      deliveries.log.push(delivery);
      if (target === null) return delivery;
      try {
        const answer = await fetch(target, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json; charset=utf-8',
            'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
            ...(header === null ? {} : { 'Stripe-Signature': header }),
          },
          body: body ?? payload,
          signal: AbortSignal.timeout(30_000),
        });
        delivery.status = answer.status;
        delivery.answer = await answer.text();
      } catch {
        // nobody answered: the status stays null
      }
      return delivery;
    },
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      for (const event of late.splice(0)) await deliver(event);
    },
    log: [],
  };

  const deliver = async (event: StripeEvent) => {
    for (let attempt = 0; attempt <= deliveries.retries; attempt++) {
      if (attempt > 0) await wait(deliveries.retryDelayMs);
      const { status } = await deliveries.send(event);
      if (status !== null && status < 300) return;
    }
  };

  const emit = (event: StripeEvent) => {
    if (held) {
      held.push(event);
      return;
    }
    if (target === null) return;
    const { copies = 1, isLate = false } = deliveries.plan?.(event) ?? {};
    for (let copy = 0; copy < copies; copy++) {
      if (isLate) late.push(event);
      else {
        line = line.then(() => deliver(event));
        track(line);
      }
    }
  };
  return { deliveries, emit };
}
