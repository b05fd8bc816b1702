/** The facts of this installation (shared/site-facts.ts), there with the page: nothing is asked for them. */
import { placeholders, type SiteFacts } from '#shared/site-facts.ts';

/** Where no server has written any: the build itself, and the development server. */
const unwritten: SiteFacts = {
  ...placeholders,
  reader: 'embedded',
  hasPayments: false,
  hasSupabase: false,
};

let read: SiteFacts | null = null;

/** In the build these are placeholders, which the server replaces in the page's text. */
export function getSiteFacts(): SiteFacts {
  if (typeof document === 'undefined') return unwritten;
  read ??= parse(document.querySelector<HTMLMetaElement>('meta[name="site-facts"]')?.content ?? '');
  return read;
}

function parse(content: string): SiteFacts {
  // written by our own server, or not at all
  return content === '' ? unwritten : (JSON.parse(content) as SiteFacts);
}
