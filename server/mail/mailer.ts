/** The interface of all mailers. */

/** One mail to one person. */
export interface Mail {
  /** Exactly one address, without a name. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Its purpose, e.g. `signup`; the only part of a mail that may be logged. */
  purpose: string;
}

export interface Mailer {
  /**
   * Resolves when the mail is queued or in the local inbox, not when it is delivered: responses must not be delayed by
   * sending mail. Failed deliveries are retried, then logged.
   * @throws TypeError when `to` is not one plain address or the subject contains a control character
   */
  send(mail: Mail): Promise<void>;
  /** Waits for mails being sent, for a limited time. */
  close(): Promise<void>;
}

/**
 * One address without anything that a mail header or server could interpret: no control characters, white space,
 * brackets, quotes, or list separators.
 */
const plainAddress =
  /^[^\p{Cc}\p{Zs}\p{Zl}\p{Zp}<>()[\]\\,;:"@]{1,64}@[^\p{Cc}\p{Zs}\p{Zl}\p{Zp}<>()[\]\\,;:"@]{1,255}$/u;

/** @throws TypeError naming the field, never its content */
export function assertSendable({ to, subject }: Pick<Mail, 'to' | 'subject'>): void {
  if (!plainAddress.test(to)) throw new TypeError('a mail goes to exactly one plain address');
  if (/\p{Cc}/u.test(subject)) throw new TypeError('a subject holds no control characters');
}
