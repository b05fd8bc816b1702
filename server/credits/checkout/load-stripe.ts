import type Stripe from 'stripe';
import { loadLater } from '#platform/load-later.ts';

/** Stripe's package has 218 files, so it is loaded only when something is sold or an event arrives. */
export const loadStripe = () => loadLater('stripe') as typeof Stripe;
