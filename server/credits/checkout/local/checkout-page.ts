/** The local checkout page: stands in for Stripe's, plainly marked as test mode. HTML without a script. */

import { createHash } from 'node:crypto';
import { listPlainStyles, renderPlainPage } from '#server/http/answer/plain-page.ts';
import { discountPrice, formatPrice, getBundle, studentCode } from '#shared/api/bundles.ts';
import { escapeMarkup } from '#shared/escape-markup.ts';
import { describeOwed } from '../begin-checkout.ts';
import type { Purchase } from '../events/merge-facts.ts';

const style = `
main { max-width: 27rem; }
.mode { margin: 1rem 0 0; padding: 0.5rem 0.75rem; border: 1px dashed var(--graphite); border-radius: 6px; color: var(--ink); font-weight: 550; text-align: center; }
.alert { margin: 1rem 0 0; padding: 0.5rem 0.75rem; border: 1px solid var(--red); border-radius: 6px; color: var(--red); }
:root { --red: light-dark(oklch(0.5 0.17 27), oklch(0.78 0.12 25)); }
.bill { margin: 1rem 0; padding: 0.75rem 1rem; display: grid; grid-template-columns: 1fr auto; gap: 0.25rem 0; border: 1px solid var(--hairline); border-radius: 6px; background: var(--page); font-variant-numeric: tabular-nums; }
.bill dt, .bill dd { margin: 0; color: var(--ink); }
.bill dd { padding-left: 1rem; text-align: right; }
.bill .note { grid-column: 1 / -1; color: var(--graphite); font-size: 0.875rem; }
.bill .total { padding-top: 0.5rem; border-top: 1px solid var(--hairline); font-weight: 600; }
label { display: block; margin-bottom: 0.25rem; }
.code { display: grid; grid-template-columns: 1fr auto; gap: 0.5rem; margin-bottom: 1rem; }
input, button, .button { font: inherit; min-height: 2.75rem; padding: 0.5rem 0.75rem; border: 1px solid var(--graphite); border-radius: 6px; background: var(--page); color: var(--ink); }
input { min-width: 0; }
button, .button { cursor: pointer; display: block; text-align: center; text-decoration: none; }
button:hover, .button:hover { background: var(--wash); }
.actions { display: grid; gap: 0.5rem; }
form + p { margin-top: 1rem; }
.actions button, .actions .button { width: 100%; }
.first { background: var(--ink); border-color: var(--ink); color: var(--paper); font-weight: 550; }
.first:hover { background: var(--ink); opacity: 0.9; }
`;

/**
 * The page's own Content-Security-Policy. @param returnsTo the origin that the form's response redirects to
 * (browsers apply `form-action` to it)
 */
export function describeCheckoutPolicy(returnsTo: string): string {
  const hash = createHash('sha256').update(listPlainStyles(style)).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'self' ${returnsTo}; frame-ancestors 'none'`;
}

export interface CheckoutView {
  purchase: Purchase;
  /** As typed by the buyer; has an effect only if it is the students' code. */
  code: string;
  /** Why the last try failed. */
  message: string | null;
  /** Credits that this purchase has to pay off. */
  owed: { conversion: number; assistant: number };
  successUrl: string;
  cancelUrl: string;
}

export function isStudentCode(code: string): boolean {
  return code.trim().toUpperCase() === studentCode.code;
}

/** The price with this code, in hundredths. */
export function priceWithCode(price: number, code: string): number {
  return isStudentCode(code) ? discountPrice(price, studentCode.percentOff) : price;
}

export function renderCheckout(view: CheckoutView): string {
  const { purchase, message } = view;
  return renderPlainPage({
    title: 'Checkout (test mode)',
    style,
    content: `<p class="mode">Test mode — no money moves</p>
${message === null ? '' : `<p class="alert" role="alert">${escapeMarkup(message)}</p>`}
${purchase.state === 'open' || purchase.state === 'processing' ? renderForm(view) : renderEnd(view)}`,
  });
}

function renderForm(view: CheckoutView): string {
  const { purchase, code, cancelUrl } = view;
  const total = purchase.amount ?? priceWithCode(purchase.price, code);
  const isOpen = purchase.state === 'open';
  const heading = isOpen ? `Pay ${formatPrice(total, purchase.currency)}` : 'The payment is in progress';
  return `<h1>${heading}</h1>
${isOpen ? '' : '<p>With some payment methods the money takes days, and may not arrive at all. Choose here how it ends.</p>'}
${renderBill(view, total)}
<form method="post">
${
  isOpen
    ? `<label for="code">Promotion code</label>
<div class="code"><input id="code" name="promotion_code" value="${escapeMarkup(code)}" maxlength="40" autocomplete="off" autocapitalize="characters" spellcheck="false"><button name="action" value="apply">Apply</button></div>
<div class="actions"><button class="first" name="action" value="pay">Pay</button><button name="action" value="pay-later">Pay by a delayed method</button><button name="action" value="decline">Pay with a card that is declined</button><a class="button" href="${escapeMarkup(cancelUrl)}">Cancel</a></div>`
    : `<div class="actions"><button class="first" name="action" value="money-came">The money arrives</button><button name="action" value="money-failed">The money does not arrive</button><a class="button" href="${escapeMarkup(view.successUrl)}">Leave it open</a></div>`
}
</form>
<p>No payment service is set up, so this page stands in for it. What it says travels as signed events, as it would from Stripe.</p>`;
}

function renderBill({ purchase, owed }: CheckoutView, total: number): string {
  const price = (amount: number) => formatPrice(amount, purchase.currency);
  const discount = purchase.price - total;
  const note = describeOwed(owed);
  return `<dl class="bill">
<dt>${escapeMarkup(getBundle(purchase.bundle).title)}</dt><dd>${price(purchase.price)}</dd>
<dt class="note">${purchase.conversion} pages and ${purchase.assistant} AI conversations</dt>
${discount === 0 ? '' : `<dt>${studentCode.code}, ${studentCode.percentOff}% off</dt><dd>−${price(discount)}</dd>`}
<dt class="total">Total</dt><dd class="total">${price(total)}</dd>
${note === null ? '' : `<dt class="note">${escapeMarkup(note)}</dt>`}
</dl>`;
}

function renderEnd({ purchase, successUrl, cancelUrl }: CheckoutView): string {
  const [heading, text] = describeEnd(purchase.state);
  return `<h1>${heading}</h1>
<p>${text}</p>
<div class="actions"><a class="button first" href="${escapeMarkup(purchase.state === 'paid' ? successUrl : cancelUrl)}">Back to Inkproof</a></div>`;
}

function describeEnd(state: Purchase['state']): [string, string] {
  if (state === 'paid') return ['This has been paid', 'The credits are in your balance.'];
  if (state === 'failed') return ['The money did not arrive', 'Nothing was credited.'];
  if (state === 'mismatched') return ['This payment is being checked', 'Nothing has been credited yet.'];
  return [
    'This page is no longer open',
    'The payment was not made in time. Start again from the pricing page.',
  ];
}
