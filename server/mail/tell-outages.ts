/** Reports outages of services to the operator, once each: a line in the log, a metric, and a mail to SUPPORT_EMAIL. */

import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Outages, Part } from '#platform/outages.ts';
import { escapeMarkup } from '#shared/escape-markup.ts';
import type { Mail } from './mailer.ts';

interface OutagesOptions {
  logger: Logger;
  registry: Registry;
  /** The operator's address: SUPPORT_EMAIL. */
  to: string;
  send(mail: Mail): Promise<void>;
}

interface PartFacts {
  name: string;
  /** What the operator can do about it. */
  advice: string;
  /**
   * How long an outage has to last before a mail is sent, in ms; null: never. A restarting database is back before
   * that.
   */
  mailAfterMs: number | null;
}

const parts: Record<Part, PartFacts> = {
  database: {
    name: 'the database',
    advice: 'Calls that need it are answered with 503, and waiting work resumes when it is back.',
    mailAfterMs: 60_000,
  },
  storage: {
    name: 'the file storage',
    advice: 'Check STORAGE_URL and the key that belongs to it.',
    mailAfterMs: 60_000,
  },
  disk: {
    name: 'disk space',
    advice: 'Nothing can be stored until space is freed.',
    mailAfterMs: 0,
  },
  ai: {
    name: 'the AI vendor',
    advice:
      'Pages and requests that need it fail, and nobody is charged for them. Check AI_API_KEY and the balance of your account with the vendor.',
    mailAfterMs: 0,
  },
  mail: { name: 'the mail server', advice: '', mailAfterMs: null },
  payments: {
    name: 'the payment service',
    advice: 'Nothing can be bought until it works again. Check STRIPE_SECRET_KEY.',
    mailAfterMs: 0,
  },
};

/** At least this time between two mails about the same service. */
const mailPauseMs = 60 * 60_000;

export function createOutages({ logger, registry, to, send }: OutagesOptions): Outages {
  const away = new Gauge({
    name: 'inkproof_part_away',
    help: '1 while a service that the server depends on is not working, by service',
    labelNames: ['part'],
    registers: [registry],
  });
  const begun = new Counter({
    name: 'inkproof_outages_total',
    help: 'How often a service stopped working, by service',
    labelNames: ['part'],
    registers: [registry],
  });
  for (const part of Object.keys(parts)) away.set({ part }, 0);
  const since = new Map<Part, { at: number; timer?: NodeJS.Timeout }>();
  const mailedAt = new Map<Part, number>();

  const tell = (part: Part, reason: string, at: number) => {
    if (Date.now() - (mailedAt.get(part) ?? Number.NEGATIVE_INFINITY) < mailPauseMs) return;
    mailedAt.set(part, Date.now());
    send(writeMail(part, reason, at, to)).catch((error: unknown) =>
      logger.warn({ err: error, part }, 'the mail to the operator could not be sent'),
    );
  };

  return {
    failed(part, reason) {
      if (since.has(part)) return;
      const at = Date.now();
      const outage: { at: number; timer?: NodeJS.Timeout } = { at };
      since.set(part, outage);
      begun.inc({ part });
      away.set({ part }, 1);
      logger.error({ part, reason }, 'a service is not working; logged once until it works again');
      const { mailAfterMs } = parts[part];
      if (mailAfterMs === 0) tell(part, reason, at);
      else if (mailAfterMs !== null)
        outage.timer = setTimeout(() => tell(part, reason, at), mailAfterMs).unref();
    },
    works(part) {
      const outage = since.get(part);
      if (!outage) return;
      since.delete(part);
      clearTimeout(outage.timer);
      away.set({ part }, 0);
      logger.info(
        { part, seconds: Math.round((Date.now() - outage.at) / 1000) },
        'a service is working again',
      );
    },
  };
}

function writeMail(part: Part, reason: string, at: number, to: string): Mail {
  const { name, advice } = parts[part];
  const lines = [
    `Since ${new Date(at).toISOString()} there has been a problem with ${name}: ${reason}.`,
    advice,
    'You will not get another mail about this until it has worked again. The log and the metric inkproof_part_away show when it does.',
  ];
  return {
    to,
    subject: `Inkproof: trouble with ${name}`,
    text: `${lines.join('\n\n')}\n`,
    html: lines.map((line) => `<p>${escapeMarkup(line)}</p>`).join('\n'),
    purpose: 'outage',
  };
}
