/** What comes in: bodies, and who sends them. */
import type { Context } from 'hono';
import { z } from 'zod';
import { getClientAddress } from '#server/http/request/client-address.ts';
import { networkOf } from '#server/http/request/client-network.ts';
import type { AppEnv } from '#server/http/types.ts';
import { AuthError, type AuthErrorCode, authError } from './auth-error.ts';
import type { AuthCore } from './core.ts';
import { type Device, readDevice } from './sessions/devices.ts';

/** Bodies of this protocol hold an address, a password, a few tokens. In bytes. */
export const maxBodyBytes = 32_768;
/** All of `user_metadata`, as JSON: it travels in every access token, and so in a header of every call. */
const maxMetadataBytes = 4_096;

/** An address as accounts are known by: trimmed, lower case. */
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
 * @param refuse looks first, for what has a refusal of its own
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
  if (!canBeKept(body)) throw authError(400, 'validation_failed', 'What was sent does not fit this call.');
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
      ? 'What was sent does not fit this call.'
      : `The field ${String(field)} does not fit this call.`,
  );
}

/** Deeper than any form nests, and far from where recursion ends. */
const maxDepth = 20;

/** Whether PostgreSQL takes it as text and as jsonb: no NUL, no half of a surrogate pair, and not nested without end. */
function canBeKept(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return (
    depth < maxDepth &&
    Object.entries(value).every(([name, one]) => canBeKept(name) && canBeKept(one, depth + 1))
  );
}

/** Who is calling, as far as sessions and limits go by it. */
export interface RequestOrigin {
  /** Keyed hash; says nothing of the address. */
  network: string;
  /** The same under former keys, for what was kept under them. */
  formerNetworks: string[];
  /** The /48 that an IPv6 network lies in, as a keyed hash; null for IPv4. */
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
 * For what is too long to be guessed: only what is none counts, afterwards. A client gives its session up when it reads
 * 429, so a whole school that opens its machines at once, or a neighbour who sends nonsense, must not cause one.
 * @param codes of the refusals that count
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
