/** Purchases and usage: the calls of the thank-you page and the billing history. All need a bearer token. */
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
 * - `open`: not paid yet; the buyer may still be on the payment page.
 * - `processing`: paid by a method that takes days; the credits arrive with the money.
 * - `paid`: the money has arrived, and the credits are in the balance.
 * - `failed`: the payment failed.
 * - `expired`: not paid in time.
 * - `mismatched`: the payment does not match the sale; nothing was credited, and the operator must check it.
 */
const checkoutStates = ['open', 'processing', 'paid', 'failed', 'expired', 'mismatched'] as const;

/**
 * GET /api/v1/checkout/{session_id}: the state of the caller's own checkout; NOT_FOUND for any other.
 * `session_id` is added by the payment page to the address of /payment-success.
 */
export const CheckoutStatus = z
  .object({
    state: z.enum(checkoutStates),
    bundle: z.enum(paidBundleIds),
    /** The credits of the bundle; null until it is paid. The balance is read from user_credits. */
    credits: CreditPair.nullable(),
  })
  .meta({ id: 'CheckoutStatus' });
export type CheckoutStatus = z.infer<typeof CheckoutStatus>;

/** `pending`: on its way to the bank; `failed`: returned by the bank, nothing was refunded. */
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
 * State of a purchase: `processing`, `paid` and `failed` as for its checkout; `partly_refunded` and `refunded` by what
 * was refunded; `disputed` while the buyer's bank decides, `charged_back` once it has taken the money; `mismatched`:
 * being checked, nothing credited.
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

/** One purchase. Unfinished checkouts are not listed. */
export const BillingPurchase = z
  .object({
    id: z.uuid(),
    /** When the checkout began. */
    created_at: Moment,
    /** When the money arrived; null before. */
    paid_at: Moment.nullable(),
    bundle: z.enum(paidBundleIds),
    state: z.enum(purchaseStates),
    currency: z.enum(currencies),
    /** The price, after a promotion code. */
    amount: Money,
    /** The discount of the code. */
    discount: Money,
    /** What was refunded and not returned by the bank. */
    refunded: Money,
    refunds: z.array(BillingRefund),
    /** The credits of the bundle. */
    credits: CreditPair,
    /** How many of them refunds and disputes have taken back. */
    credits_taken_back: CreditPair,
    /** How many could not be taken back yet because they were used; deducted from the next purchase. */
    credits_owed: CreditPair,
    /** Stripe's receipt; null until there is one, and in test mode. */
    receipt_url: z.url().nullable(),
    /** Bought in test mode, without money. */
    is_test: z.boolean(),
  })
  .meta({ id: 'BillingPurchase' });
export type BillingPurchase = z.infer<typeof BillingPurchase>;

/** Usage in one calendar month (UTC). Months without usage are left out. */
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

/** GET /api/v1/billing: newest first. GET /api/v1/billing.csv has the same purchases and refunds, one per line, oldest first. */
export const BillingHistory = z
  .object({
    purchases: z.array(BillingPurchase),
    usage: z.array(MonthlyUsage),
    /** What will be deducted from the next purchase, for all purchases together. */
    owed: CreditPair,
  })
  .meta({ id: 'BillingHistory' });
export type BillingHistory = z.infer<typeof BillingHistory>;
