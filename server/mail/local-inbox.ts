/**
 * Mails of an installation without a mail server: one file each under DATA_DIR/inbox, readable only by its user.
 * Several processes may share the folder: files appear complete, under unique names.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { assertSendable, type Mail, type Mailer } from './mailer.ts';

/** How many mails are kept, newest first. */
export const maxKeptMails = 100;

const KeptMail = z.object({
  /** `0001763691524123-5f0c…`: sorts by time. */
  id: z.string(),
  at: z.iso.datetime(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  purpose: z.string(),
});
export type KeptMail = z.infer<typeof KeptMail>;

export interface LocalInbox extends Mailer {
  /** Newest first. */
  list(): Promise<KeptMail[]>;
  find(id: string): Promise<KeptMail | null>;
}

const idPattern = /^\d{16}-[0-9a-f]{12}$/;

/** @param folder created with the first mail */
export function openLocalInbox(folder: string): LocalInbox {
  const listIds = async () => {
    const names = await readdir(folder).catch(() => []);
    return names
      .filter((name) => name.endsWith('.json') && idPattern.test(name.slice(0, -5)))
      .map((name) => name.slice(0, -5))
      .sort()
      .reverse();
  };
  const fileOf = (id: string) => path.join(folder, `${id}.json`);
  const find = async (id: string) => {
    if (!idPattern.test(id)) return null;
    // another process may just have removed it
    const content = await readFile(fileOf(id), 'utf8').catch(() => null);
    if (content === null) return null;
    const parsed = KeptMail.safeParse(JSON.parse(content));
    return parsed.success ? parsed.data : null;
  };
  let lastStamp = 0;

  return {
    async send(mail: Mail) {
      assertSendable(mail);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // microseconds, unique within a process, so that mails stay in the order they were sent in
      lastStamp = Math.max(lastStamp + 1, Date.now() * 1000);
      const id = `${String(lastStamp).padStart(16, '0')}-${randomBytes(6).toString('hex')}`;
      const { to, subject, text, html, purpose } = mail;
      const record: KeptMail = {
        id,
        at: new Date(lastStamp / 1000).toISOString(),
        to,
        subject,
        text,
        html,
        purpose,
      };
      const unfinished = `${fileOf(id)}.part`;
      const handle = await open(unfinished, 'wx', 0o600);
      try {
        await handle.writeFile(JSON.stringify(record)).finally(() => handle.close());
        await rename(unfinished, fileOf(id));
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      for (const old of (await listIds()).slice(maxKeptMails)) await rm(fileOf(old), { force: true });
    },
    async close() {},
    async list() {
      const mails = await Promise.all((await listIds()).slice(0, maxKeptMails).map(find));
      return mails.filter((mail) => mail !== null);
    },
    find,
  };
}
