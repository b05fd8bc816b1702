/** Sending mail: what every way of sending agrees on. */

/** One mail to one person. */
export interface Mail {
  /** Exactly one address, without a name. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** What it is for, e.g. `signup`; the only thing of a mail that the log may hold. */
  purpose: string;
}

export interface Mailer {
  /**
   * Resolves when the mail is on its way (queued, or put into the local inbox), not when it has arrived: an answer
   * must not take longer because somebody was written to. Delivery that fails is tried again, then logged.
   * @throws TypeError when `to` is not one plain address or the subject holds a control character
   */
  send(mail: Mail): Promise<void>;
  /** Waits for the mails on their way, for a bounded time. */
  close(): Promise<void>;
}

/**
 * One address and nothing that a mail header or a mail server could read as more: no control characters, white space,
 * brackets, quotes, or list separators.
 */
const plainAddress =
  /^[^\p{Cc}\p{Zs}\p{Zl}\p{Zp}<>()[\]\\,;:"@]{1,64}@[^\p{Cc}\p{Zs}\p{Zl}\p{Zp}<>()[\]\\,;:"@]{1,255}$/u;

/** @throws TypeError naming the field, never its content */
export function assertSendable({ to, subject }: Pick<Mail, 'to' | 'subject'>): void {
  if (!plainAddress.test(to)) throw new TypeError('a mail goes to exactly one plain address');
  if (/\p{Cc}/u.test(subject)) throw new TypeError('a subject holds no control characters');
}
