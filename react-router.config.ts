import path from 'node:path';
import type { Config } from '@react-router/dev/config';
import { listBlogPages } from './site/blog/read-articles.ts';
import { deferStart } from './site/defer-start.ts';

/**
 * A static front end: public pages are prerendered, every other address starts from `__spa-fallback.html`
 * (the server answers with that file). `build/client` is all that is served.
 */
export default {
  appDirectory: 'web/app',
  ssr: false,
  prerender: [
    '/',
    '/convert',
    '/pricing',
    '/contact',
    '/terms',
    '/privacy',
    '/physics-notes-to-latex',
    ...listBlogPages(),
  ],
  buildEnd: ({ viteConfig }) => deferStart(path.join(viteConfig.root, 'build/client')),
} satisfies Config;
