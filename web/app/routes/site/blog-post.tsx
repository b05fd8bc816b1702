import { data, useLocation } from 'react-router';
import { ArticlePage } from '#web/features/blog/article-page.tsx';
import { describeArticlePage } from '#web/features/blog/describe-blog.ts';
import { findPage, readArticles } from '#web/features/blog/read-articles.server.ts';
import { blogAddresses } from '../../places.ts';
import type { Route } from './+types/blog-post';

/** At build time only: the pages are prerendered. */
export function loader({ params }: Route.LoaderArgs) {
  const page = findPage(readArticles(), params.slug);
  if (!page) throw data(null, { status: 404 });
  return { page };
}

/**
 * Without a client loader, a page that was not prerendered would render without data; this one asks the server, which
 * reports it as missing.
 */
export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return serverLoader();
}

export function meta({ loaderData }: Route.MetaArgs) {
  return loaderData ? describeArticlePage(loaderData.page) : [{ title: 'Not found · Inkproof' }];
}

export default function BlogPost({ loaderData }: Route.ComponentProps) {
  return <ArticlePage page={loaderData.page} {...blogAddresses(useLocation().pathname)} />;
}
