/** A mail server on loopback that keeps what it receives, as a person's mailbox. */
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  /** The envelope's recipient, in lower case. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The link to the product's own page, with `token_hash` and `type`; null in mails that only inform. */
  link: URL | null;
}

export interface Mailbox {
  /** For SMTP_URL. */
  url: string;
  mails: ReceivedMail[];
  /**
   * The newest matching mail to this address that has not been taken before; waits for it until the test's own
   * limit. `type` is the link's: `signup`, `recovery` or `email_change`; null: a mail without such a link.
   */
  take(to: string, type: string | null): Promise<ReceivedMail>;
  close(): Promise<void>;
}

export async function startMailbox(): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  const taken = new Set<ReceivedMail>();
  const waiting = new Set<() => void>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', async () => {
        const parsed = await PostalMime.parse(Buffer.concat(parts));
        for (const recipient of session.envelope.rcptTo)
          mails.push({
            to: recipient.address.toLowerCase(),
            subject: parsed.subject ?? '',
            text: parsed.text ?? '',
            html: parsed.html ?? '',
            link: findLink(parsed.text ?? ''),
          });
        done();
        for (const look of [...waiting]) look();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    take(to, type) {
      return new Promise((resolve) => {
        const look = () => {
          const found = mails.findLast(
            (mail) =>
              !taken.has(mail) &&
              mail.to === to.toLowerCase() &&
              (mail.link?.searchParams.get('type') ?? null) === type,
          );
          if (!found) return;
          taken.add(found);
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      });
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function findLink(text: string): URL | null {
  const found = /https?:\/\/\S+token_hash=\S+/.exec(text);
  return found ? new URL(found[0].replace(/[).,>\]]+$/, '')) : null;
}
