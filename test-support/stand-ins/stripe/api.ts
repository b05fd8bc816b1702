/** The calls of Stripe's API that the stand-in implements: their parameters, refusals, lists, expansion. */
import type { StripeAccount } from './account.ts';
import { type Form, type FormValue, Params, StripeRefusal } from './form.ts';
import {
  type CheckoutSession,
  type Coupon,
  type LineItem,
  newId,
  nowSeconds,
  type PromotionCode,
  type StripeObject,
} from './objects.ts';

export interface ApiCall {
  method: string;
  /** E.g. `/v1/refunds`. */
  path: string;
  /** Body or query. */
  form: Form;
}

/** Minimum amounts, in hundredths, from Stripe's documentation. */
const minAmounts: Record<string, number> = { eur: 50, gbp: 30 };
/** A session expires after this many seconds, and may be made to after 30 minutes at the earliest. */
const sessionSeconds = { usual: 86_400, least: 1_800 };

const kinds: Record<string, { kind: string; filters: readonly string[] }> = {
  '/v1/checkout/sessions': { kind: 'checkout.session', filters: ['payment_intent', 'status', 'customer'] },
  '/v1/payment_intents': { kind: 'payment_intent', filters: ['customer'] },
  '/v1/charges': { kind: 'charge', filters: ['payment_intent', 'customer'] },
  '/v1/refunds': { kind: 'refund', filters: ['charge', 'payment_intent'] },
  '/v1/disputes': { kind: 'dispute', filters: ['charge', 'payment_intent'] },
  '/v1/coupons': { kind: 'coupon', filters: [] },
  '/v1/promotion_codes': { kind: 'promotion_code', filters: ['code', 'active', 'coupon'] },
  '/v1/events': { kind: 'event', filters: ['type', 'types'] },
};

/** @throws StripeRefusal */
export function answerCall(account: StripeAccount, call: ApiCall, url: string): unknown {
  const params = new Params(call.form);
  const result = route(account, call, params, url);
  params.end();
  return expand(account, result, expansions(call.form.expand));
}

function route(account: StripeAccount, { method, path }: ApiCall, params: Params, url: string): unknown {
  const collection = kinds[path];
  if (method === 'GET' && collection) return list(account, path, params);
  const [, base = '', id = '', rest = ''] =
    /^(\/v1\/(?:checkout\/sessions|\w+))\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
  const kind = kinds[base]?.kind;
  const creation = method === 'POST' ? creations[path] : undefined;
  if (creation) return creation(account, params, url);
  if (kind !== undefined && method === 'GET' && rest === '') return account.get(kind, decodeURIComponent(id));
  switch (`${method} ${kind} ${rest}`) {
    case 'GET checkout.session line_items': {
      account.get('checkout.session', id);
      params.ignore('limit', 'starting_after', 'ending_before');
      return toList(account.details.get(id)?.items ?? [], path);
    }
    case 'POST checkout.session expire': {
      params.end();
      const session = account.get<CheckoutSession>('checkout.session', id);
      if (session.status !== 'open')
        throw new StripeRefusal(
          400,
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
        );
      account.expire(id);
      return session;
    }
    case 'POST promotion_code ': {
      const code = account.get<PromotionCode>('promotion_code', id);
      const isActive = params.flag('active');
      params.ignore('metadata');
      params.end();
      if (isActive !== undefined) code.active = isActive;
      return code;
    }
    case 'DELETE coupon ': {
      account.get<Coupon>('coupon', id).valid = false;
      account.objects.delete(id);
      return { id, object: 'coupon', deleted: true };
    }
    default:
      throw new StripeRefusal(404, `Unrecognized request URL (${method}: ${path}).`);
  }
}

const creations: Record<string, (account: StripeAccount, params: Params, url: string) => unknown> = {
  '/v1/checkout/sessions': createSession,
  '/v1/refunds'(account, params) {
    const target = params.text('charge') ?? params.text('payment_intent');
    if (target === undefined)
      throw new StripeRefusal(
        400,
        'One of the following params should be provided for this request: payment_intent or charge.',
      );
    params.text('payment_intent');
    const amount = params.integer('amount');
    const reason = params.text('reason');
    const metadata = params.metadata();
    params.end();
    return account.refund(target, amount, { reason, metadata }).refund;
  },
  '/v1/coupons'(account, params) {
    const id = params.text('id') ?? newId('coupon');
    const percent = params.text('percent_off');
    const coupon: Coupon = {
      id,
      object: 'coupon',
      created: nowSeconds(),
      livemode: false,
      duration: params.text('duration') ?? 'once',
      name: params.text('name') ?? null,
      percent_off: percent === undefined ? null : Number(percent),
      amount_off: params.integer('amount_off') ?? null,
      currency: params.text('currency') ?? null,
      valid: true,
      metadata: params.metadata(),
    };
    params.end();
    if ((coupon.percent_off === null) === (coupon.amount_off === null))
      throw new StripeRefusal(400, 'Must provide percent_off or amount_off, and not both.');
    if (account.objects.has(id))
      throw new StripeRefusal(400, 'Coupon already exists.', { code: 'resource_already_exists' });
    return account.add(coupon);
  },
  '/v1/promotion_codes'(account, params) {
    const promotion = params.inner('promotion');
    if (promotion?.text('type') !== 'coupon')
      throw new StripeRefusal(400, 'Missing required param: promotion.', {
        code: 'parameter_missing',
        param: 'promotion',
      });
    const coupon = account.get<Coupon>('coupon', promotion.required('coupon'));
    promotion.end();
    const code = params.text('code') ?? newId('CODE').slice(5, 13).toUpperCase();
    const created: PromotionCode = {
      id: newId('promo'),
      object: 'promotion_code',
      created: nowSeconds(),
      livemode: false,
      active: params.flag('active') ?? true,
      code,
      promotion: { type: 'coupon', coupon: coupon.id },
      customer: null,
      expires_at: params.integer('expires_at') ?? null,
      max_redemptions: params.integer('max_redemptions') ?? null,
      times_redeemed: 0,
      restrictions: { first_time_transaction: false, minimum_amount: null },
      metadata: params.metadata(),
    };
    params.end();
    const isTaken = account
      .all<PromotionCode>('promotion_code')
      .some((other) => other.active && other.code.toLowerCase() === code.toLowerCase());
    if (created.active && isTaken)
      throw new StripeRefusal(400, `An active promotion code with \`code: ${code}\` already exists.`, {
        code: 'resource_already_exists',
      });
    return account.add(created);
  },
};

function createSession(account: StripeAccount, params: Params, url: string): CheckoutSession {
  if (params.required('mode') !== 'payment')
    throw new StripeRefusal(400, 'Only one-time payments are sold here.', { param: 'mode' });
  const items = params.innerList('line_items').map(readLineItem);
  const [first] = items;
  if (!first)
    throw new StripeRefusal(400, 'Missing required param: line_items.', {
      code: 'parameter_missing',
      param: 'line_items',
    });
  if (items.some(({ currency }) => currency !== first.currency))
    throw new StripeRefusal(400, 'All line items must have the same currency.', { param: 'line_items' });
  const amount = items.reduce((sum, item) => sum + item.amount_total, 0);
  const least = minAmounts[first.currency];
  if (least === undefined)
    throw new StripeRefusal(400, `Invalid currency: ${first.currency}.`, {
      param: 'line_items[0][price_data][currency]',
    });
  if (amount < least)
    throw new StripeRefusal(400, `The Checkout Session's total amount due must be at least ${least}.`, {
      code: 'amount_too_small',
    });
  const successUrl = params.required('success_url');
  const cancelUrl = params.text('cancel_url') ?? null;
  for (const [name, address] of [
    ['success_url', successUrl],
    ['cancel_url', cancelUrl],
  ] as const)
    if (address !== null && !URL.canParse(address))
      throw new StripeRefusal(400, `Not a valid URL`, { code: 'url_invalid', param: name });
  const expiresAt = params.integer('expires_at') ?? nowSeconds() + sessionSeconds.usual;
  // a minute of tolerance for the transfer
  if (
    expiresAt < nowSeconds() + sessionSeconds.least - 60 ||
    expiresAt > nowSeconds() + sessionSeconds.usual + 60
  )
    throw new StripeRefusal(
      400,
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.',
      {
        param: 'expires_at',
      },
    );
  const email = params.text('customer_email') ?? null;
  if (email !== null && !/^\S+@\S+\.\S+$/.test(email))
    throw new StripeRefusal(400, `Invalid email address: ${email}`, {
      code: 'email_invalid',
      param: 'customer_email',
    });
  const reference = params.text('client_reference_id') ?? null;
  if (reference !== null && !/^[\w-]{1,200}$/.test(reference))
    throw new StripeRefusal(400, 'Invalid client_reference_id', { param: 'client_reference_id' });
  const payment = params.inner('payment_intent_data');
  const paymentMetadata = payment?.metadata() ?? {};
  payment?.ignore('description', 'statement_descriptor_suffix', 'receipt_email');
  payment?.end();
  const metadata = params.metadata();
  const allowPromotionCodes = params.flag('allow_promotion_codes') ?? null;
  if (params.innerList('discounts').length > 0)
    throw new StripeRefusal(400, 'Discounts are entered on the page here.', { param: 'discounts' });
  const locale = params.text('locale') ?? null;
  params.ignore('submit_type', 'customer_creation', 'adaptive_pricing', 'custom_text', 'invoice_creation');
  params.ignore('billing_address_collection', 'payment_method_types', 'ui_mode', 'consent_collection');
  params.ignore('automatic_tax', 'name_collection', 'branding_settings', 'origin_context');
  // nothing is created if a parameter is wrong
  params.end();
  const id = newId('cs_test');
  account.details.set(id, { items, paymentMetadata });
  return account.add<CheckoutSession>({
    id,
    object: 'checkout.session',
    created: nowSeconds(),
    livemode: false,
    mode: 'payment',
    status: 'open',
    payment_status: 'unpaid',
    amount_subtotal: amount,
    amount_total: amount,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    currency: first.currency,
    allow_promotion_codes: allowPromotionCodes,
    discounts: [],
    client_reference_id: reference,
    customer: null,
    customer_email: email,
    customer_details: null,
    metadata,
    payment_intent: null,
    payment_method_types: ['card'],
    success_url: successUrl,
    cancel_url: cancelUrl,
    url: `${url}/c/pay/${id}`,
    expires_at: expiresAt,
    locale,
  });
}

function readLineItem(params: Params): LineItem {
  const price = params.inner('price_data');
  const product = price?.inner('product_data');
  if (!price || !product)
    throw new StripeRefusal(400, 'A line item needs price_data with product_data here.', {
      param: 'line_items',
    });
  const unit = price.integer('unit_amount');
  const quantity = params.integer('quantity') ?? 1;
  if (unit === undefined || unit < 0 || quantity < 1)
    throw new StripeRefusal(400, 'A line item needs unit_amount and a quantity of 1 or more.', {
      param: 'line_items',
    });
  const currency = price.required('currency').toLowerCase();
  const description = product.required('name');
  product.ignore('description', 'images', 'metadata', 'tax_code');
  price.ignore('tax_behavior');
  product.end();
  price.end();
  params.end();
  return {
    id: newId('li'),
    object: 'item',
    created: nowSeconds(),
    description,
    quantity,
    currency,
    amount_subtotal: unit * quantity,
    amount_discount: 0,
    amount_tax: 0,
    amount_total: unit * quantity,
    price: { id: newId('price'), object: 'price', currency, unit_amount: unit, type: 'one_time' },
  };
}

/** Newest first, in pages, like all of Stripe's lists. */
function list(account: StripeAccount, path: string, params: Params): unknown {
  const { kind, filters } = kinds[path]!;
  const limit = params.integer('limit') ?? 10;
  if (limit < 1 || limit > 100)
    throw new StripeRefusal(400, 'limit must be between 1 and 100', {
      code: 'parameter_invalid_integer',
      param: 'limit',
    });
  let found = account.all<StripeObject & Record<string, unknown>>(kind).reverse();
  for (const name of filters) {
    if (name === 'types') {
      const types = params.list('types');
      if (types.length > 0) found = found.filter(({ type }) => types.includes(type as string));
      continue;
    }
    const wanted = params.text(name);
    if (wanted !== undefined) found = found.filter((object) => String(readFilter(object, name)) === wanted);
  }
  found = found.filter(isWithin(params, 'created'));
  params.ignore('delivery_success');
  const [after, before] = [params.text('starting_after'), params.text('ending_before')];
  const place = (id: string) => {
    const index = found.findIndex((object) => object.id === id);
    if (index < 0) throw new StripeRefusal(400, `No such ${kind}: '${id}'`, { code: 'resource_missing' });
    return index;
  };
  if (before !== undefined) {
    const end = place(before);
    return toList(found.slice(Math.max(0, end - limit), end), path, end > limit);
  }
  const start = after === undefined ? 0 : place(after) + 1;
  return toList(found.slice(start, start + limit), path, found.length > start + limit);
}

function readFilter(object: Record<string, unknown>, name: string): unknown {
  return name === 'coupon' ? (object as unknown as PromotionCode).promotion.coupon : object[name];
}

/** Filters by `created=N`, or `created[gte]` and the like. */
function isWithin(params: Params, key: string): (object: StripeObject) => boolean {
  const bounds = (() => {
    try {
      return params.inner(key);
    } catch {
      return undefined;
    }
  })();
  if (!bounds) return () => true;
  const [gte, gt, lte, lt] = ['gte', 'gt', 'lte', 'lt'].map((name) => bounds.integer(name));
  bounds.end();
  return ({ created }) =>
    (gte === undefined || created >= gte) &&
    (gt === undefined || created > gt) &&
    (lte === undefined || created <= lte) &&
    (lt === undefined || created < lt);
}

function toList(data: readonly unknown[], url: string, hasMore = false): unknown {
  return { object: 'list', data, has_more: hasMore, url };
}

function expansions(value: FormValue | undefined): string[][] {
  return Array.isArray(value) ? value.map((path) => String(path).split('.')) : [];
}

/** Replaces ids by their objects along each path, in a copy. */
function expand(account: StripeAccount, result: unknown, paths: string[][]): unknown {
  const copy = structuredClone(result);
  for (const path of paths) expandPath(account, copy, path, 4);
  return copy;
}

function expandPath(
  account: StripeAccount,
  place: unknown,
  [key, ...rest]: string[],
  depthLeft: number,
): void {
  if (key === undefined || typeof place !== 'object' || place === null) return;
  if (depthLeft === 0) throw new StripeRefusal(400, 'You cannot expand more than 4 levels of a property.');
  if (Array.isArray(place)) {
    for (const inner of place) expandPath(account, inner, [key, ...rest], depthLeft);
    return;
  }
  const holder = place as Record<string, unknown>;
  if (key === 'line_items' && holder.object === 'checkout.session') {
    const items = account.details.get(String(holder.id))?.items ?? [];
    holder.line_items = toList(structuredClone(items), `/v1/checkout/sessions/${holder.id}/line_items`);
  } else if (!(key in holder)) {
    throw new StripeRefusal(400, `This property cannot be expanded (${key}).`, { param: 'expand' });
  }
  const value = holder[key];
  if (typeof value === 'string') holder[key] = structuredClone(account.objects.get(value) ?? value);
  expandPath(account, holder[key], rest, depthLeft - (key === 'data' ? 0 : 1));
}
