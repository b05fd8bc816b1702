/** The links of the header and its menus, and the blog's addresses. */
import { articleAddress, blogAddress } from '#shared/blog.ts';

interface Place {
  to: string;
  label: string;
  /** A static page outside the app: the browser loads it. */
  isStatic?: boolean;
  /** Only for signed-in users. */
  isOwn?: boolean;
}

const places: Place[] = [
  { to: '/', label: 'Home' },
  { to: '/convert', label: 'Convert' },
  { to: '/pricing', label: 'Pricing' },
  { to: '/blog/en', label: 'Blog', isStatic: true },
];
const ownPlaces: Place[] = [{ to: '/documents', label: 'My documents', isOwn: true }];
const accountPlaces: Place[] = [
  { to: '/account', label: 'Account' },
  { to: '/billing_history', label: 'Billing history' },
];

export function listPlaces(isSignedIn: boolean): Place[] {
  return [...places, ...(isSignedIn ? ownPlaces : [])];
}

export function listAccountPlaces(): Place[] {
  return accountPlaces;
}

/** The blog has static pages, without the app, and the same as pages of the app. */
export function isBlog(pathname: string): boolean {
  return /^\/blog(-react)?(\/|$)/.test(pathname);
}

export function isStaticPage(pathname: string): boolean {
  return /^\/blog(\/|$)/.test(pathname);
}

/** Where the links of a blog page lead: from a static page to static ones, from the app's to the app's. */
export function blogAddresses(pathname: string) {
  return isStaticPage(pathname)
    ? { listAddress: blogAddress, addressOf: articleAddress }
    : { listAddress: '/blog-react', addressOf: (slug: string) => `/blog-react/${slug}` };
}
