import { useContext } from 'react';
import {
  UNSAFE_FrameworkContext as FrameworkContext,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
} from 'react-router';
import { isStaticPage } from '../places.ts';
import type { PageStart } from './page-start.ts';

/**
 * In a built page: one small script (entry.client.ts), which decides when the app is loaded, and none in a
 * static page. React Router's own `Scripts`, which are used here in the browser, would load all of it at once.
 */
export function StartScripts() {
  const { pathname } = useLocation();
  if (import.meta.env.SSR && isStaticPage(pathname)) return null;
  return (
    <>
      <ScrollRestoration />
      {import.meta.env.SSR ? <BuiltScripts /> : <Scripts />}
    </>
  );
}

/** Two script elements, as many as `Scripts` has, so that React finds its own when it hydrates the page. */
function BuiltScripts() {
  const context = useContext(FrameworkContext);
  const matches = useMatches();
  if (!context) throw new Error('The page is not rendered by React Router.');
  const { manifest, serverHandoffString, isSpaMode, renderMeta } = context;
  // makes React Router write the data of the page's loaders
  if (renderMeta) renderMeta.didRenderScripts = true;
  const routes = (isSpaMode ? matches.slice(0, 1) : matches).map(({ id }) => manifest.routes[id]!);
  const modules = routes.map((route) =>
    [route.clientLoaderModule, route.hydrateFallbackModule, route.module].filter(
      (file) => file !== undefined,
    ),
  );
  const start: PageStart = {
    isFrame: isSpaMode,
    files: [...new Set([manifest.url, ...modules.flat(), ...routes.flatMap(({ imports = [] }) => imports)])],
    first: [...(manifest.hmr ? [manifest.hmr.runtime] : []), manifest.url],
    routes: routes.map(({ id }, at) => ({ id, modules: modules[at]! })),
  };
  const inline = `window.__reactRouterContext = ${serverHandoffString};
(function (context) {
  context.stream = new ReadableStream({ start: function (controller) { context.streamController = controller; } })
    .pipeThrough(new TextEncoderStream());
})(window.__reactRouterContext);
window.__reactRouterRouteModules = {};
window.inkproofStart = ${JSON.stringify(start)};`;
  return (
    <>
      {[manifest.entry.module, ...manifest.entry.imports].map((href) => (
        <link key={href} rel="modulepreload" href={href} />
      ))}
      {isSpaMode &&
        start.files.map((href) => (
          // after the style, which the first paint waits for
          <link key={href} rel="modulepreload" href={href} fetchPriority="low" />
        ))}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: written by React Router and this file */}
      <script dangerouslySetInnerHTML={{ __html: inline }} />
      <script type="module" src={manifest.entry.module} />
    </>
  );
}
