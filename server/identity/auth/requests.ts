/** Request bodies, and who sends them. */
import type { Context } from 'hono';
import { z } from 'zod';
import { getClientAddress } from '#server/http/request/client-address.ts';
import { networkOf } from '#server/http/request/client-network.ts';
import type { AppEnv } from '#server/http/types.ts';
import { AuthError, type AuthErrorCode, authError } from './auth-error.ts';
import type { AuthCore } from './core.ts';
import { type Device, readDevice } from './sessions/devices.ts';

/** Bodies of this protocol contain an address, a password and a few tokens. */
export const maxBodyBytes = 32_768;
/** For all of `user_metadata` as JSON: it is part of every access token, and so of a header of every call. */
const maxMetadataBytes = 4_096;

/** An address in the form that identifies accounts: trimmed, lower case. */
export const EmailField = z
  .string()
  .max(320)
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email());

export const PasswordField = z.string();

export const MetadataField = z
  .record(z.string().max(200), z.unknown())
  .refine((data) => Buffer.byteLength(JSON.stringify(data)) <= maxMetadataBytes);

/**
 * @param refuse runs first, for bodies with an error of their own
 * @throws AuthError bad_json or validation_failed, naming the field and never its value
 */
export async function readBody<Schema extends z.ZodType>(
  c: Context<AppEnv>,
  schema: Schema,
  refuse: (body: object) => AuthError | null = () => null,
): Promise<z.infer<Schema>> {
  const text = await c.req.text();
  let body: unknown;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    throw authError(400, 'bad_json', 'Could not parse request body as JSON.');
  }
  if (!isStorable(body)) throw authError(400, 'validation_failed', 'The request is not valid for this call.');
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const refusal = isObject ? refuse(body as object) : null;
  if (refusal !== null) throw refusal;
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path[0];
  if (field === 'email')
    throw authError(400, 'validation_failed', 'Unable to validate email address: invalid format');
  throw authError(
    400,
    'validation_failed',
    field === undefined
      ? 'The request is not valid for this call.'
      : `The field ${String(field)} is not valid for this call.`,
  );
}

/** Deeper than any legitimate body, and far below the limit of recursion. */
const maxDepth = 20;

/** True if PostgreSQL can store it as text and as jsonb: no NUL, no lone surrogate, limited depth. */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return (
    depth < maxDepth &&
    Object.entries(value).every(([name, one]) => isStorable(name) && isStorable(one, depth + 1))
  );
}

/** The caller, as sessions and limits identify it. */
export interface RequestOrigin {
  /** Keyed hash, which does not reveal the address. */
  network: string;
  /** The same under former keys, to find what was stored under them. */
  formerNetworks: string[];
  /** The /48 that contains an IPv6 network, as a keyed hash; null for IPv4. */
  site: string | null;
  userAgent: string | null;
  device: Device;
}

export function describeOrigin(core: Pick<AuthCore, 'env' | 'sealer'>, c: Context<AppEnv>): RequestOrigin {
  const plain = networkOf(getClientAddress(c.env.incoming, core.env.TRUSTED_PROXIES));
  const [network = '', ...formerNetworks] = core.sealer
    .hashes('network', plain)
    .map((hash) => hash.toString('base64url').slice(0, 22));
  const site = plain.endsWith('::/64') ? `${plain.split(':').slice(0, 3).join(':')}::/48` : null;
  return {
    network,
    formerNetworks,
    site: site && core.sealer.hash('network', site).toString('base64url').slice(0, 22),
    userAgent: c.req.header('User-Agent')?.slice(0, 500) ?? null,
    device: readDevice(c, { isSecure: core.env.API_URL.startsWith('https:'), network }),
  };
}

/**
 * For secrets too long to be guessed: counts invalid ones only, afterwards. A client gives up its session on a 429, so
 * neither a whole school starting its machines at once nor a neighbour sending nonsense must cause one.
 * @param codes of the errors that count
 */
export async function countWhen<T>(
  codes: AuthErrorCode[],
  work: () => Promise<T>,
  count: () => Promise<void>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AuthError && codes.includes(error.code)) await count();
    throw error;
  }
}
