/** Sends mails through an SMTP server: a few pooled connections, time limits, and retries when the server is busy. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { loadLater } from '#platform/load-later.ts';
import type { Outages } from '#platform/outages.ts';
import { isLoopbackName } from '../http/request/loopback.ts';
import { assertSendable, type Mail, type Mailer } from './mailer.ts';

const loadNodemailer = () => loadLater('nodemailer') as typeof import('nodemailer');

interface SmtpMailerOptions {
  /** `smtp://user:password@host:587` or `smtps://…`; nodemailer's query parameters are supported. */
  smtpUrl: string;
  /** An address, or `Name <address>`. */
  from: string;
  /** Where replies go, if not to the sender. */
  replyTo: string;
  logger: Logger;
  outages?: Outages;
  /**
   * Delays before the second, third and fourth attempt. Default: 2 s, 15 s, 60 s, enough for a restart of the server.
   */
  retryDelaysMs?: readonly number[];
}

/** Mails waiting in this process. More than a mail server accepts in minutes; further ones are dropped and logged. */
const maxWaiting = 1000;
/** How long a stopping process waits for mails being sent; its supervisor allows 25 s in all. */
const closeLimitMs = 10_000;

/** The queue is in memory: mails that a killed process had not sent are lost, and can be requested again. */
export function createSmtpMailer(options: SmtpMailerOptions): Mailer {
  const { logger, outages, from, replyTo, retryDelaysMs = [2_000, 15_000, 60_000] } = options;
  const { createTransport } = loadNodemailer();
  const transport = createTransport({ ...connectTo(options.smtpUrl), pool: true, maxConnections: 3 });
  // the pool reports lost idle connections here; each send reports its own failure
  transport.on('error', (error) => logger.warn({ err: error }, 'connection to the mail server lost'));

  const stopping = new AbortController();
  const underway = new Set<Promise<void>>();

  const deliver = async (mail: Mail): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        await transport.sendMail({
          ...address(mail, from, replyTo),
        });
        outages?.works('mail');
        return;
      } catch (error) {
        const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
        const delayMs = retryDelaysMs[attempt - 1];
        // 5xx: a permanent rejection
        const isOver = delayMs === undefined || responseCode >= 500 || stopping.signal.aborted;
        const facts = { purpose: mail.purpose, attempt, code, responseCode };
        // a rejected recipient concerns only that mail
        if (isOver && code !== 'EENVELOPE' && code !== 'EMESSAGE' && !stopping.signal.aborted)
          outages?.failed('mail', `${code ?? 'unknown'} ${responseCode || ''}`.trim());
        if (isOver) return logger.error(facts, 'a mail could not be sent');
        logger.warn(facts, 'a mail could not be sent yet');
        await sleep(delayMs, undefined, stopping).catch(() => {});
      }
    }
  };

  return {
    async send(mail) {
      assertSendable(mail);
      if (underway.size >= maxWaiting) {
        logger.error(
          { purpose: mail.purpose },
          'a mail was dropped: too many are waiting for the mail server',
        );
        return;
      }
      const delivery: Promise<void> = deliver(mail).finally(() => underway.delete(delivery));
      underway.add(delivery);
    },
    async close() {
      // mails waiting for a retry are tried at once, for the last time
      stopping.abort();
      const limit = new AbortController();
      await Promise.race([Promise.all(underway), sleep(closeLimitMs, undefined, limit).catch(() => {})]);
      limit.abort();
      transport.close();
    },
  };
}

/** How to connect to the server. */
function connectTo(smtpUrl: string) {
  const { hostname, username } = new URL(smtpUrl);
  return {
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    // a password is never sent unencrypted
    requireTLS: username !== '' && !isLoopbackName(hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function address(mail: Mail, from: string, replyTo: string) {
  return {
    from,
    // an object, because a string would be parsed as a list
    to: { name: '', address: mail.to },
    ...(from.includes(replyTo) ? {} : { replyTo: { name: '', address: replyTo } }),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}

/**
 * One mail, one attempt, and the server's answer, for whoever sets it up.
 * @returns null if the server accepted it; otherwise the reason from the server or the network, without the password
 */
export async function trySmtp(
  { smtpUrl, from, replyTo }: Pick<SmtpMailerOptions, 'smtpUrl' | 'from' | 'replyTo'>,
  mail: Mail,
): Promise<string | null> {
  assertSendable(mail);
  const transport = loadNodemailer().createTransport(connectTo(smtpUrl));
  try {
    await transport.sendMail(address(mail, from, replyTo));
    return null;
  } catch (error) {
    const { message, response } = error as Error & { response?: string };
    return response ?? message;
  } finally {
    transport.close();
  }
}
