import type { Config } from '@react-router/dev/config';
import { readArticles } from './web/features/blog/read-articles.server.ts';

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
    '/blog',
    '/blog/en',
    '/blog/rss.xml',
    '/blog-react',
    ...readArticles().flatMap(({ slug }) => [`/blog/${slug}`, `/blog-react/${slug}`]),
  ],
} satisfies Config;
