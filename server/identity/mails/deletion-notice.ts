/** The last mail to a person: that the account is gone. */
import type { Env } from '#server/platform/env.ts';
import type { Mailer } from '#server/platform/mail/mailer.ts';
import { sendAuthMail } from './send-auth-mail.ts';

/** @returns what sends it to an address */
export function createDeletionNotice(
  env: Pick<Env, 'PUBLIC_URL' | 'SUPPORT_EMAIL'>,
  mailer: Mailer,
): (email: string) => Promise<void> {
  const deps = { mailer, publicUrl: env.PUBLIC_URL, supportEmail: env.SUPPORT_EMAIL };
  return (to) => sendAuthMail(deps, { kind: 'account_deleted', to });
}
