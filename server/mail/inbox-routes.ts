/**
 * The local inbox in the browser: mails that an installation without a mail server would have sent. They contain links
 * that open accounts, so the inbox is available only on this machine, and not at all if PUBLIC_URL is public.
 */
import path from 'node:path';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Env } from '#platform/env.ts';
import { isLoopbackName, isThisMachine } from '../http/request/loopback.ts';
import type { AppEnv } from '../http/types.ts';
import { inboxPolicy, renderInbox, renderMail } from './inbox-page.ts';
import { openLocalInbox } from './local-inbox.ts';

type InboxSettings = Pick<Env, 'SMTP_URL' | 'DATA_DIR' | 'PUBLIC_URL' | 'API_URL'>;

/** Address of the inbox page, e.g. `http://localhost:3000/inbox`; null if there is none. */
export function describeInboxAddress(env: Pick<Env, 'SMTP_URL' | 'PUBLIC_URL' | 'API_URL'>): string | null {
  const isHere = [env.PUBLIC_URL, env.API_URL].every((address) => isLoopbackName(new URL(address).hostname));
  return env.SMTP_URL === undefined && isHere ? new URL('/inbox', env.PUBLIC_URL).href : null;
}

/**
 * GET /inbox, /inbox/{id}, and /inbox/mails.json: an array of mails, newest first, filtered by `?to=`. Registered
 * before the site, which handles callers that the inbox rejects.
 */
export function registerInbox(app: OpenAPIHono<AppEnv>, { env }: { env: InboxSettings }): void {
  if (describeInboxAddress(env) === null) return;
  const inbox = openLocalInbox(path.join(env.DATA_DIR, 'inbox'));
  const sendPage = (c: Context<AppEnv>, html: string) =>
    c.html(html, 200, { 'Content-Security-Policy': inboxPolicy });

  app.use('/inbox/*', async (c, next) => {
    if (!isThisMachine(c.env.incoming)) return c.text('There is nothing at this address.\n', 404);
    await next();
  });
  app.get('/inbox/mails.json', async (c) => {
    const to = c.req.query('to')?.toLowerCase();
    const mails = await inbox.list();
    return c.json(to === undefined ? mails : mails.filter((mail) => mail.to.toLowerCase() === to));
  });
  app.get('/inbox', async (c) => sendPage(c, renderInbox(await inbox.list())));
  app.get('/inbox/:id', async (c, next) => {
    const mail = await inbox.find(c.req.param('id'));
    if (mail === null) return next();
    return sendPage(c, renderMail(mail));
  });
}
