/** Where the header and its menus lead. A page that does not exist yet is left out until it does. */
import { pageAddresses } from '#shared/page-addresses.ts';

interface Place {
  to: string;
  label: string;
}

const places: Place[] = [
  { to: '/', label: 'Home' },
  { to: '/convert', label: 'Convert' },
  { to: '/pricing', label: 'Pricing' },
];
/** Only for somebody who is signed in. */
const ownPlaces: Place[] = [{ to: '/documents', label: 'My documents' }];
const accountPlaces: Place[] = [
  { to: '/account', label: 'Account' },
  { to: '/billing_history', label: 'Billing history' },
];

export function listPlaces(isSignedIn: boolean): Place[] {
  return [...places, ...(isSignedIn ? ownPlaces : [])].filter(exists);
}

export function listAccountPlaces(): Place[] {
  return accountPlaces.filter(exists);
}

function exists({ to }: Place): boolean {
  return pageAddresses.includes(to);
}
