import type Stripe from 'stripe';
import { loadLater } from '#platform/load-later.ts';

/** Stripe's package has 218 files: it is loaded by who sells, or is told of a sale. */
export const loadStripe = () => loadLater('stripe') as typeof Stripe;
