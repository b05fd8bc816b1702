/** The calls on one's own account that the sign-in protocol has none for: sessions, export, deletion. All need a bearer token. */
import { z } from 'zod';

/** One sign-in of the account: a browser or an app that holds its tokens. */
export const AccountSession = z
  .object({
    id: z.uuid(),
    /** When it signed in. */
    created_at: z.iso.datetime({ offset: true }),
    /** When its tokens were last renewed: about when it was last used. Null until the first renewal. */
    refreshed_at: z.iso.datetime({ offset: true }).nullable(),
    /** The User-Agent header of the sign-in. */
    user_agent: z.string().nullable(),
    /** The one whose token asks. */
    is_current: z.boolean(),
  })
  .meta({ id: 'AccountSession' });
export type AccountSession = z.infer<typeof AccountSession>;

/**
 * GET /api/v1/account/sessions, last used first. DELETE /api/v1/account/sessions/{id} ends one and answers 204;
 * one that is not the caller's, or gone already, is NOT_FOUND.
 */
export const AccountSessions = z.object({ sessions: z.array(AccountSession) });
export type AccountSessions = z.infer<typeof AccountSessions>;

/**
 * How old the session may be that deletes an account, in ms (10 minutes): who deletes has just proved who they are,
 * so that an unattended browser or a stolen token does not suffice.
 */
export const freshSessionMs = 10 * 60_000;

/**
 * DELETE /api/v1/account → 204. The session must be younger than `freshSessionMs`, else FRESH_SIGN_IN_REQUIRED;
 * `confirm` is the account's own address (letter case aside), else INVALID_INPUT.
 */
export const AccountDeletion = z.object({ confirm: z.string().trim().min(1).max(320) });
export type AccountDeletion = z.infer<typeof AccountDeletion>;

/** POST /api/v1/check-address: by the sign-up rules alone; whether there is an account is told to nobody. */
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
