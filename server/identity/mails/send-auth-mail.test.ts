import { expect, test } from 'vitest';
import type { Mail } from '#server/mail/mailer.ts';
import type { AuthMail } from './auth-mail.ts';
import { sendAuthMail } from './send-auth-mail.ts';

const publicUrl = 'https://inkproof.example';
const supportEmail = 'support@inkproof.example';
const tokenHash = 'pkce_0123456789abcdef0123456789abcdef';

async function write(mail: AuthMail, place = publicUrl): Promise<Mail> {
  const sent: Mail[] = [];
  const mailer = { send: async (each: Mail) => void sent.push(each), close: async () => {} };
  await sendAuthMail({ mailer, publicUrl: place, supportEmail }, mail);
  return sent[0]!;
}

const to = 'ada@example.com';
const newEmail = 'ada@new.example';
const mails: AuthMail[] = [
  { kind: 'signup', to, tokenHash },
  { kind: 'signup', to, tokenHash, signedUpAt: new Date() },
  { kind: 'signup_again', to, tokenHash },
  { kind: 'recovery', to, tokenHash },
  { kind: 'email_change_new', to, tokenHash },
  { kind: 'email_change_current', to, newEmail, tokenHash },
  { kind: 'email_change_current', to, newEmail },
  { kind: 'account_exists', to },
  { kind: 'password_changed', to },
  { kind: 'second_factor_added', to },
  { kind: 'second_factor_removed', to },
  { kind: 'email_changed', to, newEmail },
  { kind: 'google_linked', to },
  { kind: 'new_device', to, device: 'Firefox on Linux', at: new Date() },
  { kind: 'recovery_code_used', to, left: 1 },
  { kind: 'account_deleted', to },
];

const findLinks = (html: string) =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

test.each(mails)('$kind says who is writing, why, and where to ask, as HTML and as text', async (mail) => {
  const { to: recipient, subject, text, html, purpose } = await write(mail);
  expect({ recipient, purpose }).toEqual({ recipient: to, purpose: mail.kind });
  expect(subject.length).toBeLessThan(60);
  for (const form of [text, html]) {
    expect(form).toContain('Inkproof');
    expect(form).toContain('You received this e-mail because');
    expect(form).toContain(supportEmail);
    expect(form).not.toMatch(/undefined|null|\[object/);
  }
  // nothing is loaded, and every link is ours
  expect(html).not.toMatch(/<(img|link|script)\b|url\(/i);
  for (const href of findLinks(html))
    expect(href).toMatch(/^(https:\/\/inkproof\.example\/?|mailto:support@)/);
});

test.each([
  ['signup', '/auth/confirm', 'signup'],
  ['signup_again', '/reset-password', 'recovery'],
  ['recovery', '/reset-password', 'recovery'],
  ['email_change_new', '/auth/confirm', 'email_change'],
] as const)('%s leads to our page %s', async (kind, page, type) => {
  const { text, html } = await write({ kind, to, tokenHash });
  const expected = `${publicUrl}${page}?token_hash=${tokenHash}&type=${type}`;
  expect(text).toContain(`\n${expected}\n`);
  expect(findLinks(html).filter((href) => href === expected)).toHaveLength(2);
});

test.each([
  [`${publicUrl}/convert?from=mail`, '/convert?from=mail'],
  [`${publicUrl}/`, null],
  [`${publicUrl}//evil.example/x`, null],
  ['https://evil.example/convert', null],
  ['https://inkproof.example.evil.example/', null],
  ['https://inkproof.example@evil.example/', null],
  ['http://inkproof.example/convert', null],
  ['javascript:alert(1)', null],
  ['/convert', null],
  ['', null],
  [null, null],
])('a link continues to %s as %s', async (redirectTo, expected) => {
  const { text } = await write({ kind: 'signup', to, tokenHash, redirectTo });
  const link = new URL(/https:\S+token_hash\S+/.exec(text)![0]);
  expect(link.origin).toBe(publicUrl);
  expect(link.searchParams.get('redirect_to')).toBe(expected);
});

test('user input cannot become part of the mail', async () => {
  const { html, text } = await write({
    kind: 'email_changed',
    to,
    newEmail: '"<a href=https://evil.example>"@example.com',
  });
  expect(html).not.toContain('<a href=https://evil');
  expect(text).toContain('@example.com');
  await expect(write({ kind: 'signup', to, tokenHash: 'x"><a href=' })).rejects.toThrow(TypeError);
});
