/**
 * The addresses of the web app's pages; `:name` is any single part of a path. The server answers every other address
 * with the not-found page and status 404; a test compares the app's routes with this list.
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
  '/blog',
  '/blog/en',
  '/blog/:slug',
  '/blog-react',
  '/blog-react/:slug',
  '/documents',
  '/documents/folders',
  '/documents/folders/:folderId',
  '/documents/:documentId',
  '/documents/:documentId/pdf',
  '/shared/:token',
];

/** All pages of these addresses are prerendered: one without a file does not exist. */
export const builtAddresses: readonly string[] = ['/blog/:slug', '/blog-react/:slug'];

/** Whether a path, without query and trailing slash (except `/`), is the address of a page. */
export function isPageAddress(path: string, addresses: readonly string[] = pageAddresses): boolean {
  const segments = path.split('/');
  return addresses.some((address) => {
    const parts = address.split('/');
    return (
      parts.length === segments.length &&
      parts.every((part, at) => (part.startsWith(':') ? segments[at] !== '' : part === segments[at]))
    );
  });
}
