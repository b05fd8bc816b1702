import { expect, test } from 'vitest';
import { resolveRedirect } from './redirects.ts';

const env = {
  PUBLIC_URL: 'https://notes.example.com',
  REDIRECT_URLS: ['https://partner.example.org/back?from=us', 'inkproof-app://sign-in'],
};

test.each([
  ['https://notes.example.com/convert?page=2#top', 'https://notes.example.com/convert?page=2#top'],
  ['https://notes.example.com', 'https://notes.example.com/'],
  ['https://partner.example.org/back?from=us', 'https://partner.example.org/back?from=us'],
  ['inkproof-app://sign-in', 'inkproof-app://sign-in'],
])('%s may be returned to', (wanted, expected) => {
  expect(resolveRedirect(env, wanted)).toBe(expected);
});

test.each([
  undefined,
  '',
  '/convert',
  '//evil.example/',
  '\\\\evil.example',
  'https:\\\\evil.example',
  'https://notes.example.com\\@evil.example/',
  'https://notes.example.com@evil.example/',
  'https://notes.example.com:secret@evil.example/',
  'https://user@notes.example.com/',
  'https://notes.example.com.evil.example/',
  'https://evilnotes.example.com/',
  'https://sub.notes.example.com/',
  'https://notes.example.com:8443/',
  'http://notes.example.com/',
  'javascript:alert(1)',
  'javascript://notes.example.com/%0aalert(1)',
  'data:text/html,hello',
  'https://notes.example.com\t.evil.example/',
  'https://notes.example.com/\r\nSet-Cookie: a=b',
  ' https://notes.example.com/',
  'https://partner.example.org/back',
  'https://partner.example.org/back?from=us&to=evil',
  'https://partner.example.org/',
  'inkproof-app://sign-in/else',
  `https://notes.example.com/${'a'.repeat(3000)}`,
])('%s is not allowed: the site itself is used instead', (wanted) => {
  expect(resolveRedirect(env, wanted)).toBe(env.PUBLIC_URL);
});

test('a site on this machine may be addressed by any of its names', () => {
  const local = { PUBLIC_URL: 'http://localhost:3000', REDIRECT_URLS: [] };
  expect(resolveRedirect(local, 'http://127.0.0.1:3000/convert')).toBe('http://127.0.0.1:3000/convert');
  expect(resolveRedirect(local, 'http://127.0.0.1:3001/convert')).toBe(local.PUBLIC_URL);
});
