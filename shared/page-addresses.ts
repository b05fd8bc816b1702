/**
 * The addresses of the web app's pages. The server answers every other one with the page that says so and status 404;
 * a test holds the app's routes to this list.
 */
export const pageAddresses: readonly string[] = [
  '/',
  '/convert',
  '/upload',
  '/account',
  '/auth/confirm',
  '/reset-password',
  '/pricing',
  '/payment-success',
  '/payment-cancelled',
  '/billing_history',
];
