/** The API's routes and their addresses. A route that docs/openapi.json does not describe is a type error. */
import type description from '../../docs/openapi.json';

type Paths = typeof description.paths;

/** A method and a path below `/api/v1`, as in `GET /documents/{id}`. */
export type Route = {
  [P in keyof Paths & string]: P extends `/api/v1${infer Path}`
    ? `${Uppercase<keyof Paths[P] & string>} ${Path}`
    : never;
}[keyof Paths & string];

type Names<R extends string> = R extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

interface Query {
  /** Values that are undefined or empty are not sent. */
  query?: Record<string, string | number | boolean | undefined>;
}

/** The last argument of a call: `Options`, and in `path` a value for each name in the route's braces. */
export type Given<R extends Route, Options = unknown> = [Names<R>] extends [never]
  ? [options?: Options & Query]
  : [options: Options & Query & { path: Record<Names<R>, string | number> }];

/**
 * The origin of the API. The server writes it into the page's `api-url` meta tag if it is not the page's own
 * (API_URL); empty means same origin.
 */
export function getApiBase(): string {
  const written = document.querySelector<HTMLMetaElement>('meta[name="api-url"]')?.content ?? '';
  return written.replace(/\/+$/, '');
}

/** The address of a route, e.g. `apiUrl('GET /documents/{id}', { path: { id } })`. */
export function apiUrl<R extends Route>(route: R, ...[given]: Given<R>): string {
  const { path = {}, query = {} } = (given ?? {}) as Query & { path?: Record<string, string | number> };
  const filled = route
    .slice(route.indexOf('/'))
    .replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name])));
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') words.set(name, String(value));
  return `${getApiBase()}/api/v1${filled}${words.size > 0 ? `?${words}` : ''}`;
}

export function methodOf(route: Route): string {
  return route.slice(0, route.indexOf(' '));
}
