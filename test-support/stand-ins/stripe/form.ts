/**
 * Stripe's request bodies and queries: forms whose names encode nesting,
 * `line_items[0][price_data][currency]=eur`.
 */

export type FormValue = string | FormValue[] | { [key: string]: FormValue };
export type Form = { [key: string]: FormValue };

/** Lists are recognised by their names: `a[]=` or consecutive numbers from 0. */
export function parseForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split('[').map((part) => part.replace(/\]$/, ''));
    let place: Form = form;
    for (const [depth, key] of path.entries()) {
      const own = key === '' ? String(Object.keys(place).length) : key;
      if (depth === path.length - 1) place[own] = value;
      else {
        const next = place[own];
        place = place[own] = typeof next === 'object' ? (next as Form) : {};
      }
    }
  }
  return Object.fromEntries(Object.entries(form).map(([key, value]) => [key, toLists(value)]));
}

function toLists(value: FormValue): FormValue {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, toLists(inner as FormValue)] as const);
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** A refusal, in the wording and format of Stripe's errors. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: { type: string; code?: string; param?: string; decline_code?: string };

  constructor(
    status: number,
    message: string,
    rest: { type?: string; code?: string; param?: string; decline_code?: string } = {},
  ) {
    super(message);
    this.status = status;
    this.body = { type: 'invalid_request_error', ...rest };
  }
}

/** Reads the parameters of one call; those never read are refused as unknown. */
export class Params {
  readonly #form: Form;
  readonly #prefix: string;
  readonly #read = new Set<string>(['expand']);

  constructor(form: Form, prefix = '') {
    this.#form = form;
    this.#prefix = prefix;
  }

  #name(key: string): string {
    return this.#prefix ? `${this.#prefix}[${key}]` : key;
  }

  text(key: string): string | undefined {
    this.#read.add(key);
    const value = this.#form[key];
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string')
      throw new StripeRefusal(400, `Invalid string: ${this.#name(key)}`, { param: this.#name(key) });
    return value;
  }

  required(key: string): string {
    const value = this.text(key);
    if (value === undefined)
      throw new StripeRefusal(400, `Missing required param: ${this.#name(key)}.`, {
        code: 'parameter_missing',
        param: this.#name(key),
      });
    return value;
  }

  integer(key: string): number | undefined {
    const value = this.text(key);
    if (value === undefined) return undefined;
    if (!/^-?\d+$/.test(value))
      throw new StripeRefusal(400, `Invalid integer: ${value}`, {
        code: 'parameter_invalid_integer',
        param: this.#name(key),
      });
    return Number(value);
  }

  flag(key: string): boolean | undefined {
    const value = this.text(key);
    return value === undefined ? undefined : value === 'true';
  }

  inner(key: string): Params | undefined {
    this.#read.add(key);
    const value = this.#form[key];
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string' || Array.isArray(value))
      throw new StripeRefusal(400, `Invalid object`, { param: this.#name(key) });
    return new Params(value, this.#name(key));
  }

  list(key: string): FormValue[] {
    this.#read.add(key);
    const value = this.#form[key];
    if (value === undefined || value === '') return [];
    if (!Array.isArray(value)) throw new StripeRefusal(400, 'Invalid array', { param: this.#name(key) });
    return value;
  }

  innerList(key: string): Params[] {
    return this.list(key).map((value, index) => {
      const name = `${this.#name(key)}[${index}]`;
      if (typeof value === 'string' || Array.isArray(value))
        throw new StripeRefusal(400, 'Invalid object', { param: name });
      return new Params(value, name);
    });
  }

  /** Up to 50 of them, 40 and 500 characters long, as Stripe allows. */
  metadata(): Record<string, string> {
    this.#read.add('metadata');
    const value = this.#form.metadata;
    if (value === undefined || value === '') return {};
    const entries = typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
    for (const [name, text] of entries) {
      if (entries.length > 50 || name.length > 40 || typeof text !== 'string' || text.length > 500)
        throw new StripeRefusal(400, `Metadata: invalid value for ${name}`, {
          param: this.#name('metadata'),
        });
    }
    return Object.fromEntries(entries) as Record<string, string>;
  }

  /** Parameters that a call may carry without effect here. */
  ignore(...keys: string[]): void {
    for (const key of keys) this.#read.add(key);
  }

  /** @throws StripeRefusal for anything sent that is not a parameter of the call */
  end(): void {
    const unknown = Object.keys(this.#form).find((key) => !this.#read.has(key));
    if (unknown !== undefined)
      throw new StripeRefusal(400, `Received unknown parameter: ${this.#name(unknown)}`, {
        code: 'parameter_unknown',
        param: this.#name(unknown),
      });
  }
}
