/** Chooses how this installation sends mail: through SMTP_URL, or else to the local inbox. */
import path from 'node:path';
import type { Logger } from 'pino';
import type { Env } from '#platform/env.ts';
import type { Outages } from '#platform/outages.ts';
import { describeInboxAddress } from './inbox-routes.ts';
import { openLocalInbox } from './local-inbox.ts';
import type { Mailer } from './mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

/** Opens no connection yet: an unavailable mail server does not prevent a start. */
export function createMailer(
  env: Pick<Env, 'SMTP_URL' | 'MAIL_FROM' | 'SUPPORT_EMAIL' | 'DATA_DIR' | 'PUBLIC_URL' | 'API_URL'>,
  { logger, outages }: { logger: Logger; outages?: Outages },
): Mailer {
  if (env.SMTP_URL)
    return createSmtpMailer({
      smtpUrl: env.SMTP_URL,
      from: env.MAIL_FROM ?? `Inkproof <${env.SUPPORT_EMAIL}>`,
      replyTo: env.SUPPORT_EMAIL,
      logger,
      outages,
    });
  if (describeInboxAddress(env) === null)
    logger.warn('SMTP_URL is not set: mails stay in DATA_DIR/inbox and are not sent');
  return openLocalInbox(path.join(env.DATA_DIR, 'inbox'));
}
