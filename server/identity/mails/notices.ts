/** Notices of changes made outside /auth/v1: deletion on the account page, the operator's commands. */
import type { Env } from '#platform/env.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import { sendAuthMail } from './send-auth-mail.ts';

/** Sends a notice to an address. */
type SendNotice = (email: string) => Promise<void>;
type Place = Pick<Env, 'PUBLIC_URL' | 'SUPPORT_EMAIL'>;

/** The last mail to a user: the account was deleted. */
export function createDeletionNotice(env: Place, mailer: Mailer): SendNotice {
  return createNotice('account_deleted', env, mailer);
}

/** Tells the user that the account's authenticator apps were removed. */
export function createFactorNotice(env: Place, mailer: Mailer): SendNotice {
  return createNotice('second_factor_removed', env, mailer);
}

function createNotice(
  kind: 'account_deleted' | 'second_factor_removed',
  env: Place,
  mailer: Mailer,
): SendNotice {
  const deps = { mailer, publicUrl: env.PUBLIC_URL, supportEmail: env.SUPPORT_EMAIL };
  return (to) => sendAuthMail(deps, { kind, to });
}
