/** The links of the header and its menus. */

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
