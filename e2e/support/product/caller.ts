/** A caller of the product over HTTP, as a program or the browser's own client would be. */
import { createAccount, main, signIn } from './accounts.ts';

export interface Caller {
  email: string;
  userId: string;
  token: string;
  /** Calls the API in their name: JSON, or a form. */
  call(method: string, path: string, body?: object | FormData): Promise<Response>;
  /** Converts files; the response is the event stream. */
  process(form: FormData): Promise<Response>;
  /** Reads the database, e.g. `page_conversion_totals?select=net_pages`. */
  read(query: string, headers?: Record<string, string>): Promise<Response>;
}

/** A caller with a new account, ten pages and five AI conversations. */
export async function openCaller(address: typeof main = main): Promise<Caller> {
  const email = await createAccount({ address });
  const session = await signIn(address, email);
  const token = session.access_token as string;
  const { url, anonKey } = await readIdentity(address);
  return {
    email,
    userId: (session.user as { id: string }).id,
    token,
    call: (method, path, body) => callApi(method, path, body, { token, address }),
    process: (form) =>
      fetch(`${address.apiUrl}/api/v1/process`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' },
        body: form,
      }),
    read: (query, headers) =>
      fetch(`${url}/rest/v1/${query}`, {
        headers: { apikey: anonKey, Authorization: `Bearer ${token}`, ...headers },
      }),
  };
}

/** Calls the API, signed out if no token is given. */
export function callApi(
  method: string,
  path: string,
  body?: object | FormData,
  { token, address = main }: { token?: string; address?: typeof main } = {},
): Promise<Response> {
  const isForm = body instanceof FormData;
  return fetch(`${address.apiUrl}/api/v1${path}`, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && !isForm && { 'Content-Type': 'application/json' }),
    },
    body: body && !isForm ? JSON.stringify(body) : body,
  });
}

/** The accounts' backend, and the public key. */
export async function readIdentity(address = main): Promise<{ url: string; anonKey: string }> {
  const { identity } = await (await fetch(`${address.apiUrl}/api/v1/config`)).json();
  return { url: identity.url, anonKey: identity.anon_key };
}

/** Calls the identity protocol, without a session. */
export async function callIdentity(path: string, body: object): Promise<Response> {
  const { url, anonKey } = await readIdentity();
  return fetch(`${url}/auth/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', apikey: anonKey },
    body: JSON.stringify(body),
  });
}
