/** Calls on the caller's own account that the sign-in protocol lacks: sessions, export, deletion. All need a bearer token. */
import { z } from 'zod';

/** One sign-in of the account: a browser or an app that holds its tokens. */
export const AccountSession = z
  .object({
    id: z.uuid(),
    /** When it signed in. */
    created_at: z.iso.datetime({ offset: true }),
    /** When its tokens were last renewed, which is about when it was last used. Null until the first renewal. */
    refreshed_at: z.iso.datetime({ offset: true }).nullable(),
    /** The User-Agent header of the sign-in. */
    user_agent: z.string().nullable(),
    /** True for the session that makes this call. */
    is_current: z.boolean(),
  })
  .meta({ id: 'AccountSession' });
export type AccountSession = z.infer<typeof AccountSession>;

/**
 * GET /api/v1/account/sessions, most recently used first. DELETE /api/v1/account/sessions/{id} ends one and returns 204;
 * NOT_FOUND if it is not the caller's or no longer exists.
 */
export const AccountSessions = z.object({ sessions: z.array(AccountSession) });
export type AccountSessions = z.infer<typeof AccountSessions>;

/**
 * Maximum age of a session that may delete its account, in ms (10 minutes): whoever deletes it has just signed in,
 * so an unattended browser or a stolen token is not enough.
 */
export const freshSessionMs = 10 * 60_000;

/**
 * DELETE /api/v1/account → 204. The session must be younger than `freshSessionMs`, otherwise FRESH_SIGN_IN_REQUIRED;
 * `confirm` must be the account's address (in any case), otherwise INVALID_INPUT.
 */
export const AccountDeletion = z.object({ confirm: z.string().trim().min(1).max(320) });
export type AccountDeletion = z.infer<typeof AccountDeletion>;

/** POST /api/v1/check-address: applies the sign-up rules only; never reveals whether an account exists. */
export const AddressCheck = z.object({ email: z.string().max(320) });
export type AddressCheck = z.infer<typeof AddressCheck>;

/** `error` is the sentence for the form. */
export const AddressVerdict = z
  .discriminatedUnion('ok', [
    z.object({ ok: z.literal(true) }),
    z.object({ ok: z.literal(false), error: z.string() }),
  ])
  .meta({ id: 'AddressVerdict' });
export type AddressVerdict = z.infer<typeof AddressVerdict>;
