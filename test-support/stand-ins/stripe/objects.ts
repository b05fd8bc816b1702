/** The stand-in's objects: the fields of Stripe's objects that a seller of one-time goods uses, spelled as there. */
import { randomBytes } from 'node:crypto';

export type Metadata = Record<string, string>;

export interface StripeObject {
  id: string;
  object: string;
  /** Seconds since 1970. */
  created: number;
}

export interface CheckoutSession extends StripeObject {
  object: 'checkout.session';
  livemode: false;
  mode: 'payment';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  amount_subtotal: number;
  amount_total: number;
  total_details: { amount_discount: number; amount_shipping: number; amount_tax: number };
  currency: string;
  allow_promotion_codes: boolean | null;
  discounts: { coupon: string | null; promotion_code: string | null }[];
  client_reference_id: string | null;
  customer: string | null;
  customer_email: string | null;
  customer_details: { email: string | null; name: string | null } | null;
  metadata: Metadata;
  payment_intent: string | null;
  payment_method_types: string[];
  success_url: string;
  cancel_url: string | null;
  url: string | null;
  expires_at: number;
  locale: string | null;
}

export interface LineItem extends StripeObject {
  object: 'item';
  description: string;
  quantity: number;
  currency: string;
  amount_subtotal: number;
  amount_discount: number;
  amount_tax: number;
  amount_total: number;
  price: { id: string; object: 'price'; currency: string; unit_amount: number; type: 'one_time' };
}

export interface PaymentIntent extends StripeObject {
  object: 'payment_intent';
  livemode: false;
  amount: number;
  amount_received: number;
  currency: string;
  status: 'requires_payment_method' | 'processing' | 'succeeded' | 'canceled';
  latest_charge: string | null;
  metadata: Metadata;
  customer: string | null;
  receipt_email: string | null;
  last_payment_error: { type: string; code: string; decline_code?: string; message: string } | null;
}

export interface Charge extends StripeObject {
  object: 'charge';
  livemode: false;
  amount: number;
  amount_captured: number;
  /** Total of refunds. A failed refund leaves it unchanged: nothing may rely on that. */
  amount_refunded: number;
  captured: boolean;
  currency: string;
  disputed: boolean;
  failure_code: string | null;
  failure_message: string | null;
  metadata: Metadata;
  paid: boolean;
  payment_intent: string;
  receipt_email: string | null;
  receipt_url: string | null;
  refunded: boolean;
  status: 'succeeded' | 'pending' | 'failed';
  billing_details: { email: string | null; name: string | null };
}

export interface Refund extends StripeObject {
  object: 'refund';
  amount: number;
  charge: string;
  currency: string;
  metadata: Metadata;
  payment_intent: string;
  reason: string | null;
  status: 'pending' | 'succeeded' | 'failed' | 'canceled';
  failure_reason?: string;
}

export interface Dispute extends StripeObject {
  object: 'dispute';
  livemode: false;
  amount: number;
  charge: string;
  currency: string;
  is_charge_refundable: boolean;
  metadata: Metadata;
  payment_intent: string;
  reason: string;
  status: 'warning_needs_response' | 'warning_closed' | 'needs_response' | 'under_review' | 'won' | 'lost';
}

export interface Coupon extends StripeObject {
  object: 'coupon';
  livemode: false;
  duration: string;
  name: string | null;
  percent_off: number | null;
  amount_off: number | null;
  currency: string | null;
  valid: boolean;
  metadata: Metadata;
}

export interface PromotionCode extends StripeObject {
  object: 'promotion_code';
  livemode: false;
  active: boolean;
  code: string;
  promotion: { type: 'coupon'; coupon: string };
  customer: null;
  expires_at: number | null;
  max_redemptions: number | null;
  times_redeemed: number;
  restrictions: { first_time_transaction: boolean; minimum_amount: number | null };
  metadata: Metadata;
}

export interface StripeEvent extends StripeObject {
  object: 'event';
  api_version: string;
  livemode: false;
  type: string;
  /** The object as it was when the event happened. */
  data: { object: StripeObject & Record<string, unknown> };
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
}

/** As the SDK's `apiVersion` of stripe 23.1.0. */
export const apiVersion = '2026-10-28.endive';

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
