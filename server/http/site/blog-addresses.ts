/** The blog's short addresses, which redirect to its static pages, and its feed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from '#platform/env.ts';
import { escapeMarkup } from '#shared/escape-markup.ts';
import { allow } from '../access.ts';
import type { AppEnv } from '../types.ts';
import { defaultClientFolder } from './static-site.ts';
import { gatherSiteFacts, writeValues } from './write-facts.ts';

/**
 * `/blog` and `/blog/{slug}` lead to their `index.html` if the build has made one; other addresses are left to
 * the site, which must be registered after this.
 */
export function registerBlog(app: OpenAPIHono<AppEnv>, deps: { env: Env; clientFolder?: string }): void {
  const folder = path.join(deps.clientFolder ?? defaultClientFolder, 'blog');
  if (!existsSync(path.join(folder, 'index.html'))) return;
  const slugs = new Set(
    readdirSync(folder).filter((name) => existsSync(path.join(folder, name, 'index.html'))),
  );
  const facts = gatherSiteFacts(deps.env);
  const feed = writeValues(readFileSync(path.join(folder, 'rss.xml'), 'utf8'), facts, escapeMarkup);

  app.get('/blog', allow('anyone'), (c) => c.redirect('/blog/index.html', 302));
  app.get('/blog/rss.xml', allow('anyone'), (c) =>
    c.body(feed, 200, {
      'Cache-Control': 'public, max-age=3600',
      'Content-Type': 'application/rss+xml; charset=utf-8',
    }),
  );
  app.get('/blog/:slug', allow('anyone'), async (c, next) => {
    const { slug } = c.req.param();
    if (!slugs.has(slug)) return next();
    return c.redirect(`/blog/${slug}/index.html`, 302);
  });
}
