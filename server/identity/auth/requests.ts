/** What comes in: bodies, and who sends them. */
import type { Context } from 'hono';
import { z } from 'zod';
import { getClientAddress } from '#server/platform/http/client-address.ts';
import { networkOf } from '#server/platform/http/client-network.ts';
import type { AppEnv } from '#server/platform/http/types.ts';
import { authError } from './auth-error.ts';
import type { AuthCore } from './core.ts';

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

/** @throws AuthError bad_json or validation_failed, naming the field and never its value */
export async function readBody<Schema extends z.ZodType>(
  c: Context<AppEnv>,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const text = await c.req.text();
  let body: unknown;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    throw authError(400, 'bad_json', 'Could not parse request body as JSON.');
  }
  if (!canBeKept(body)) throw authError(400, 'validation_failed', 'What was sent does not fit this call.');
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
  userAgent: string | null;
}

export function describeOrigin(core: AuthCore, c: Context<AppEnv>): RequestOrigin {
  const network = networkOf(getClientAddress(c.env.incoming, core.env.TRUSTED_PROXIES));
  return {
    network: core.sealer.hash('network', network).toString('base64url').slice(0, 22),
    userAgent: c.req.header('User-Agent')?.slice(0, 500) ?? null,
  };
}
