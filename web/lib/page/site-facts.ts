/** Facts of this installation (shared/site-facts.ts), delivered with the page: no request is needed. */
import { placeholders, type SiteFacts } from '#shared/site-facts.ts';

/** Used where no server has filled them in: in the build itself, and on the development server. */
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
