/** Mails that tell what others than /auth/v1 have done: the account page's deletion, the operator's commands. */
import type { Env } from '#platform/env.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import { sendAuthMail } from './send-auth-mail.ts';

/** Sends a notice to an address. */
type SendNotice = (email: string) => Promise<void>;
type Place = Pick<Env, 'PUBLIC_URL' | 'SUPPORT_EMAIL'>;

/** The last mail to a person: that the account is gone. */
export function createDeletionNotice(env: Place, mailer: Mailer): SendNotice {
  return createNotice('account_deleted', env, mailer);
}

/** That an account's authenticator apps are asked for no more. */
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
