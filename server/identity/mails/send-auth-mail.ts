/** Writes mails about accounts and passes them to the mail server. */
import type { Mailer } from '#server/mail/mailer.ts';
import { type AuthMail, writeAuthMail } from './auth-mail.ts';
import { renderMailHtml, renderMailText } from './layout.ts';

export interface AuthMailDeps {
  mailer: Mailer;
  /** PUBLIC_URL: where every link leads. */
  publicUrl: string;
  supportEmail: string;
}

/** Resolves once the mail has been sent. @throws TypeError for a malformed address or token hash */
export async function sendAuthMail(deps: AuthMailDeps, mail: AuthMail): Promise<void> {
  const content = writeAuthMail(mail, deps);
  await deps.mailer.send({
    to: mail.to,
    subject: content.subject,
    text: renderMailText(content, deps),
    html: renderMailHtml(content, deps),
    purpose: mail.kind,
  });
}
