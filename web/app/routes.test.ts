import type { RouteConfigEntry } from '@react-router/dev/routes';
import { expect, test } from 'vitest';
import { pageAddresses } from '#shared/page-addresses.ts';
import routes from './routes.ts';

/** The addresses of all routes that show a page, without the feed and the catch-all `*`. */
function listAddresses(entries: readonly RouteConfigEntry[], parent = ''): string[] {
  return entries.flatMap((entry) => {
    const address = entry.path === undefined ? parent : `${parent}/${entry.path}`;
    if (entry.children) return listAddresses(entry.children, address);
    return entry.path === '*' || address.endsWith('.xml') ? [] : [address || '/'];
  });
}

test('the server knows every page of the app, and no other', async () => {
  expect(listAddresses(await routes).toSorted()).toEqual(pageAddresses.toSorted());
});
