/**
 * Where the API is. The server writes its origin into the page's `api-url` meta tag if it differs from the page's own
 * (API_URL); empty means same origin.
 */
export function getApiBase(): string {
  const written = document.querySelector<HTMLMetaElement>('meta[name="api-url"]')?.content ?? '';
  return written.replace(/\/+$/, '');
}

/** The address of a call, e.g. `apiUrl('/compile')`. */
export function apiUrl(path: `/${string}`): string {
  return `${getApiBase()}/api/v1${path}`;
}
