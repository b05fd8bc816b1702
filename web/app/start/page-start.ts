/** What a built page tells its first script (entry.client.ts) about the app that belongs to it. */
export interface PageStart {
  /** The page for every address that is not prerendered. */
  isFrame: boolean;
  /** Every file of the app that the page needs. */
  files: readonly string[];
  /** Modules to run before those of the routes. */
  first: readonly string[];
  /** The modules of each route of the page, from the outermost in. */
  routes: readonly { id: string; modules: readonly string[] }[];
}

declare global {
  interface Window {
    inkproofStart: PageStart;
    __reactRouterRouteModules: Record<string, Record<string, unknown>>;
  }
}
