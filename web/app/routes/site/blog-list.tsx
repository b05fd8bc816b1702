import { useLocation } from 'react-router';
import { ArticleList } from '#web/features/blog/article-list.tsx';
import { describeList } from '#web/features/blog/describe-blog.ts';
import { readArticles } from '#web/features/blog/read-articles.server.ts';
import { blogAddresses } from '../../places.ts';
import type { Route } from './+types/blog-list';

/** At build time only: the pages are prerendered. */
export function loader() {
  return { articles: readArticles().map(({ markdown: _, ...article }) => article) };
}

export const meta = describeList;

export default function BlogList({ loaderData }: Route.ComponentProps) {
  const { addressOf } = blogAddresses(useLocation().pathname);
  return <ArticleList articles={loaderData.articles} addressOf={addressOf} />;
}
