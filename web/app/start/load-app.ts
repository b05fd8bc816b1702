import { nextPaint } from './paints.ts';

/**
 * Fetches the app's files in parallel and runs them in parts, with a paint between two of them: the libraries, each
 * route of the page, and what makes the page React's.
 */
export async function loadApp(): Promise<void> {
  const { files, first, routes } = window.inkproofStart;
  for (const href of files)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  await nextPaint();
  const { stackTraceLimit } = Error;
  // react-dom creates errors when it is loaded, and for their traces V8 parses the whole file again
  Error.stackTraceLimit = 0;
  try {
    await runAll(first);
    const { hydrate } = await import('./hydrate.tsx');
    await nextPaint();
    for (const { id, modules } of routes) {
      window.__reactRouterRouteModules[id] = Object.assign({}, ...(await runAll(modules)));
      await nextPaint();
    }
    hydrate();
    await nextPaint();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function runAll(files: readonly string[]): Promise<Record<string, unknown>[]> {
  return Promise.all(files.map((file) => import(/* @vite-ignore */ file)));
}
