/**
 * The addresses of the web app's pages; `:name` stands for any one part of a path. The server answers every other one
 * with the page that says so and status 404; a test holds the app's routes to this list.
 */
export const pageAddresses: readonly string[] = [
  '/',
  '/convert',
  '/upload',
  '/account',
  '/auth/confirm',
  '/reset-password',
  '/pricing',
  '/contact',
  '/terms',
  '/privacy',
  '/physics-notes-to-latex',
  '/payment-success',
  '/payment-cancelled',
  '/billing_history',
  '/blog-react',
  '/blog-react/:slug',
  '/documents',
  '/documents/folders',
  '/documents/folders/:folderId',
  '/documents/:documentId',
  '/documents/:documentId/pdf',
  '/shared/:token',
];

/** Of these every page that there is was built ahead: what has no file is missing. */
export const builtAddresses: readonly string[] = ['/blog-react/:slug'];

/** Whether a path, without query and without a slash at its end (but for `/`), is the address of a page. */
export function isPageAddress(path: string, addresses: readonly string[] = pageAddresses): boolean {
  const asked = path.split('/');
  return addresses.some((address) => {
    const parts = address.split('/');
    return (
      parts.length === asked.length &&
      parts.every((part, at) => (part.startsWith(':') ? asked[at] !== '' : part === asked[at]))
    );
  });
}
