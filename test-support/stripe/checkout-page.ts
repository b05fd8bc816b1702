/** The page on which a browser pays at the stand-in. */
import { escapeMarkup } from '#platform/escape-markup.ts';
import type { CheckoutSession, LineItem } from './objects.ts';

const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency: currency.toUpperCase() }).format(
    amount / 100,
  );

/** @param message what was wrong with the last try */
export function renderCheckoutPage(session: CheckoutSession, items: LineItem[], message = ''): string {
  const rows = items
    .map(
      ({ description, quantity, amount_total: amount, currency }) =>
        `<li>${escapeMarkup(description)} × ${quantity}: ${money(amount, currency)}</li>`,
    )
    .join('');
  const button = (action: string, label: string) =>
    `<button name="action" value="${action}">${label}</button> `;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Checkout (stand-in)</title></head>
<body><main>
<h1>Pay ${money(session.amount_total, session.currency)}</h1>
${message ? `<p role="alert">${escapeMarkup(message)}</p>` : ''}
<ul>${rows}</ul>
<form method="post">
<p><label>Email <input name="email" type="email" value="${escapeMarkup(session.customer_email ?? '')}"${session.customer_email ? ' readonly' : ''}></label></p>
${session.allow_promotion_codes ? '<p><label>Promotion code <input name="promotion_code"></label></p>' : ''}
<p>${button('pay', 'Pay')}${button('pay-later', 'Pay later')}${button('decline', 'Pay with a declined card')}</p>
</form>
${session.cancel_url ? `<p><a href="${escapeMarkup(session.cancel_url)}">Back</a></p>` : ''}
</main></body></html>`;
}

export function renderNotice(text: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Checkout (stand-in)</title></head><body><main><p>${escapeMarkup(text)}</p></main></body></html>`;
}
