/** What was bought and used: the calls behind the thank-you page and the billing history. All need a bearer token. */
import { z } from 'zod';
import { currencies, paidBundleIds } from './bundles.ts';

/** An amount in the currency's hundredths. */
const Money = z.number().int().nonnegative();
const Moment = z.iso.datetime({ offset: true });

/** Pages, and AI conversations. */
export const CreditPair = z.object({
  conversion: z.number().int().nonnegative(),
  assistant: z.number().int().nonnegative(),
});
export type CreditPair = z.infer<typeof CreditPair>;

/**
 * - `open`: nothing was paid yet; the buyer may still be on the payment page.
 * - `processing`: paid by a method whose money takes days; the credits come with it.
 * - `paid`: the money is there, and the credits are in the balance.
 * - `failed`: the money did not come.
 * - `expired`: nobody paid in time.
 * - `mismatched`: what was paid is not what was sold; nothing was credited, and the operator has to look.
 */
const checkoutStates = ['open', 'processing', 'paid', 'failed', 'expired', 'mismatched'] as const;

/**
 * GET /api/v1/checkout/{session_id}: how a checkout of the caller's own stands; NOT_FOUND for every other.
 * `session_id` is what the payment page adds to the address of /payment-success.
 */
export const CheckoutStatus = z
  .object({
    state: z.enum(checkoutStates),
    bundle: z.enum(paidBundleIds),
    /** What the bundle has brought; null until it is paid. The balance is read from user_credits. */
    credits: CreditPair.nullable(),
  })
  .meta({ id: 'CheckoutStatus' });
export type CheckoutStatus = z.infer<typeof CheckoutStatus>;

/** `pending` is on its way to the bank; `failed` came back: nothing was refunded. */
const refundStates = ['pending', 'succeeded', 'failed'] as const;
export type RefundState = (typeof refundStates)[number];

export const BillingRefund = z
  .object({
    id: z.string(),
    created_at: Moment,
    amount: Money,
    state: z.enum(refundStates),
  })
  .meta({ id: 'BillingRefund' });
export type BillingRefund = z.infer<typeof BillingRefund>;

/**
 * How a purchase stands: `processing`, `paid` and `failed` as of its checkout; `partly_refunded` and `refunded` by what
 * was given back; `disputed` while the buyer's bank decides, `charged_back` when it has taken the money; `mismatched`:
 * being checked, with nothing credited.
 */
const purchaseStates = [
  'processing',
  'paid',
  'failed',
  'partly_refunded',
  'refunded',
  'disputed',
  'charged_back',
  'mismatched',
] as const;
export type PurchaseState = (typeof purchaseStates)[number];

/** One purchase. Checkouts that nobody finished are none. */
export const BillingPurchase = z
  .object({
    id: z.uuid(),
    /** When the checkout began. */
    created_at: Moment,
    /** When the money was there; null before. */
    paid_at: Moment.nullable(),
    bundle: z.enum(paidBundleIds),
    state: z.enum(purchaseStates),
    currency: z.enum(currencies),
    /** What was asked for, after a promotion code. */
    amount: Money,
    /** What the code took off. */
    discount: Money,
    /** What was given back and has not come back from the bank. */
    refunded: Money,
    refunds: z.array(BillingRefund),
    /** What the bundle holds. */
    credits: CreditPair,
    /** What refunds and disputes have taken back of them. */
    credits_taken_back: CreditPair,
    /** What they could not take back yet, because it was used: taken from the next purchase. */
    credits_owed: CreditPair,
    /** Stripe's receipt; null until there is one, and in test mode. */
    receipt_url: z.url().nullable(),
    /** Bought in test mode: no money moved. */
    is_test: z.boolean(),
  })
  .meta({ id: 'BillingPurchase' });
export type BillingPurchase = z.infer<typeof BillingPurchase>;

/** What one calendar month (UTC) has used. Months without use are left out. */
export const MonthlyUsage = z
  .object({
    /** E.g. `2026-11`. */
    month: z.string().regex(/^\d{4}-\d{2}$/),
    /** Pages delivered. */
    pages: z.number().int().nonnegative(),
    /** Changes by the assistant that returned LaTeX. */
    assistant_changes: z.number().int().nonnegative(),
  })
  .meta({ id: 'MonthlyUsage' });
export type MonthlyUsage = z.infer<typeof MonthlyUsage>;

/** GET /api/v1/billing: newest first. GET /api/v1/billing.csv has the same purchases and refunds, one a line, oldest first. */
export const BillingHistory = z
  .object({
    purchases: z.array(BillingPurchase),
    usage: z.array(MonthlyUsage),
    /** What the next purchase will be taken from, over all purchases. */
    owed: CreditPair,
  })
  .meta({ id: 'BillingHistory' });
export type BillingHistory = z.infer<typeof BillingHistory>;
