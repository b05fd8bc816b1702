import type { AddressInfo } from 'node:net';
import { type Logger, pino } from 'pino';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import type { Mail } from './mailer.ts';
import { createSmtpMailer, trySmtp } from './smtp-mailer.ts';

interface Received {
  from: string;
  to: string[];
  raw: string;
  mail: Email;
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A mail server on loopback. `refuse` rejects a recipient or a message with its error. */
async function startMailServer(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks).toString();
        received.push({
          from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw,
          mail: await PostalMime.parse(raw),
        });
        done();
      });
    },
    ...options,
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return { received, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` };
}

function createMailer(smtpUrl: string, retryDelaysMs = [1, 1, 1]) {
  const lines: string[] = [];
  const logger: Logger = pino({}, { write: (line: string) => void lines.push(line) });
  const from = 'Inkproof <support@inkproof.example>';
  const outages: string[] = [];
  const mailer = createSmtpMailer({
    smtpUrl,
    from,
    replyTo: 'help@inkproof.example',
    logger,
    outages: {
      failed: (part, reason) => void outages.push(`${part} failed: ${reason}`),
      works: (part) => void outages.push(`${part} works`),
    },
    retryDelaysMs,
  });
  closers.push(() => mailer.close());
  return { mailer, outages, log: () => lines.join('') };
}

const mailTo = (to: string, more: Partial<Mail> = {}): Mail => ({
  to,
  subject: 'Confirm your address',
  text: 'Follow the link — soon.',
  html: '<p>Follow the <b>link</b>.</p>',
  purpose: 'signup',
  ...more,
});

test('a mail arrives with both forms, sender and reply address, marked as sent by a machine', async () => {
  const { received, url } = await startMailServer();
  const { mailer } = createMailer(url);
  await mailer.send(mailTo('ada@example.com'));
  await mailer.close();
  expect(received).toHaveLength(1);
  const { mail, to, from } = received[0]!;
  expect({ to, from }).toEqual({ to: ['ada@example.com'], from: 'support@inkproof.example' });
  expect(mail.from).toMatchObject({ name: 'Inkproof', address: 'support@inkproof.example' });
  expect(mail.replyTo?.[0]?.address).toBe('help@inkproof.example');
  expect(mail.subject).toBe('Confirm your address');
  expect(mail.text?.trim()).toBe('Follow the link — soon.');
  expect(mail.html).toContain('<b>link</b>');
  expect(mail.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
});

test.each([
  ['ada@exämple.com', 'ada@xn--exmple-cua.com'],
  ['ada@例え.jp', 'ada@xn--r8jz45g.jp'],
])('%s is written as %s', async (to, expected) => {
  const { received, url } = await startMailServer();
  const { mailer } = createMailer(url);
  await mailer.send(mailTo(to));
  await mailer.close();
  expect(received[0]?.raw).toContain(`To: ${expected}\r\n`);
  expect(received[0]?.to).toEqual([to]);
});

test.each([
  'ada@example.com\r\nBcc: eve@example.net',
  'ada@example.com\nBcc: eve@example.net',
  'ada@example.com, eve@example.net',
  'ada@example.com;eve@example.net',
  'Ada <ada@example.com>',
  '"ada eve"@example.com',
  'eve@example.net,ada@example.com',
  'ada@example.com\u0000',
  'ada@example.com\u2028Bcc:eve@example.net',
  'ada@example.com>\r\nRCPT TO:<eve@example.net',
  'ada',
  '',
])('%j is not a valid mail address', async (to) => {
  const { received, url } = await startMailServer();
  const { mailer } = createMailer(url);
  await expect(mailer.send(mailTo(to))).rejects.toThrow(TypeError);
  await expect(
    mailer.send(mailTo('ada@example.com', { subject: 'Hello\r\nBcc: eve@example.net' })),
  ).rejects.toThrow(TypeError);
  await mailer.close();
  expect(received).toEqual([]);
});

test('a server that is busy at first is tried again', async () => {
  let calls = 0;
  const { received, url } = await startMailServer({
    onRcptTo(_address, _session, done) {
      calls += 1;
      if (calls <= 2) return done(Object.assign(new Error('later'), { responseCode: 451 }));
      done();
    },
  });
  const { mailer, log } = createMailer(url);
  await mailer.send(mailTo('ada@example.com'));
  await expect.poll(() => received.length).toBe(1);
  expect(log()).toContain('could not be sent yet');
  expect(log()).not.toContain('ada@example.com');
});

test('a permanent refusal is not retried; the log names the purpose and nobody', async () => {
  let calls = 0;
  const { url } = await startMailServer({
    onRcptTo(_address, _session, done) {
      calls += 1;
      done(Object.assign(new Error('no such user ada@example.com'), { responseCode: 550 }));
    },
  });
  const { mailer, log } = createMailer(url);
  await mailer.send(mailTo('ada@example.com'));
  await expect.poll(log).toContain('a mail could not be sent');
  expect(calls).toBe(1);
  expect(log()).toContain('"purpose":"signup"');
  expect(log()).not.toMatch(/ada|example\.com/);
});

test('an unreachable server fails no call, and is given up after four tries', async () => {
  const { mailer, outages, log } = createMailer('smtp://127.0.0.1:1');
  await mailer.send(mailTo('ada@example.com'));
  await expect.poll(log).toContain('"attempt":4');
  expect(log()).toContain('a mail could not be sent"');
  expect(log()).not.toContain('ada@');
  expect(outages).toEqual(['mail failed: ESOCKET']);
});

test('a server that refuses the password is an outage; a recipient that it refuses is not', async () => {
  const { url } = await startMailServer({
    authOptional: false,
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('no'), { responseCode: 535 })),
  });
  const { mailer, outages } = createMailer(url.replace('//', '//user:wrong@'));
  await mailer.send(mailTo('ada@example.com'));
  await expect.poll(() => outages).toEqual(['mail failed: EAUTH 535']);
  const refusing = await startMailServer({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error('gone'), { responseCode: 550 })),
  });
  const second = createMailer(refusing.url);
  await second.mailer.send(mailTo('ada@example.com'));
  await expect.poll(second.log).toContain('a mail could not be sent');
  expect(second.outages).toEqual([]);
});

test('a stopping process tries waiting mails once more, and does not wait longer', async () => {
  let calls = 0;
  const { received, url } = await startMailServer({
    onRcptTo(_address, _session, done) {
      calls += 1;
      if (calls === 1) return done(Object.assign(new Error('later'), { responseCode: 451 }));
      done();
    },
  });
  const { mailer, log } = createMailer(url, [3_600_000]);
  await mailer.send(mailTo('ada@example.com'));
  await expect.poll(log).toContain('could not be sent yet');
  await mailer.close();
  expect(received).toHaveLength(1);
});

test('a trial mail arrives, or reports the server’s message, without the password', async () => {
  const { received, url } = await startMailServer({
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('nobody')
        ? done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }))
        : done(),
  });
  const options = { smtpUrl: url, from: 'support@inkproof.example', replyTo: 'help@inkproof.example' };
  expect(await trySmtp(options, mailTo('ada@example.com'))).toBeNull();
  expect(received.map(({ to }) => to)).toEqual([['ada@example.com']]);
  expect(await trySmtp(options, mailTo('nobody@example.com'))).toContain('No such mailbox');
  const closed = { ...options, smtpUrl: 'smtp://ada:secret@127.0.0.1:9' };
  const message = await trySmtp(closed, mailTo('ada@example.com'));
  expect(message).toContain('ECONNREFUSED');
  expect(message).not.toContain('secret');
});
