/** Buying credits: the interface for `app.ts`, `run-server.ts` and the operator's commands. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { Env } from '#platform/env.ts';
import type { Outages } from '#platform/outages.ts';
import type { Database } from '#server/database/database.ts';
import type { AppEnv } from '#server/http/types.ts';
import { registerCheckoutRoutes } from './checkout-routes.ts';
import { registerWebhookRoute } from './events/webhook-route.ts';
import { registerLocalCheckout } from './local/local-checkout.ts';
import { openPaymentService } from './payment-service.ts';
import { startPurchaseSweeper } from './reconcile.ts';

export type { Purchase } from './events/merge-facts.ts';
export { openPaymentService, type PaymentService } from './payment-service.ts';
export { reconcile } from './reconcile.ts';
export { findRefundable, readRefundable, refundPages, refundPurchase } from './refund-purchase.ts';
export { findPurchaseProblems, type MonthlySales, type PurchaseProblem, sumSales } from './sales.ts';

export interface PaymentDeps {
  env: Env;
  db: Database;
  secretKey: string;
  logger: Logger;
  outages: Outages;
  metrics: Registry;
}

/** Registers the route that Stripe calls, before the checks that concern browsers. */
export function registerPaymentEvents(app: OpenAPIHono<AppEnv>, deps: PaymentDeps): void {
  const mismatches = new Counter({
    name: 'inkproof_payment_mismatches_total',
    help: 'Payments that do not fit their purchase; nothing was credited',
    registers: [deps.metrics],
  });
  registerWebhookRoute(app, { ...deps, mismatches, service: openPaymentService(deps.env, deps.secretKey) });
}

/** Registers the routes that people call and, in test mode, the page on which they pay. */
export function registerPayments(app: OpenAPIHono<AppEnv>, deps: PaymentDeps): void {
  const service = openPaymentService(deps.env, deps.secretKey);
  registerCheckoutRoutes(app, { ...deps, service });
  if (service.mode === 'local') registerLocalCheckout(app, { ...deps, service });
}

/** Periodically asks Stripe about unfinished purchases; does nothing without its key. */
export function startPaymentSweeper(deps: Omit<PaymentDeps, 'metrics'>): { stop(): Promise<void> } {
  const { stripe } = openPaymentService(deps.env, deps.secretKey);
  return stripe ? startPurchaseSweeper({ ...deps, stripe }) : { stop: async () => {} };
}
