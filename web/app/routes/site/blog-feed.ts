import { writeFeed } from '#web/features/blog/describe-blog.ts';
import { readArticles } from '#web/features/blog/read-articles.server.ts';

/** At build time only: the feed is a file. */
export function loader() {
  return new Response(writeFeed(readArticles()), { headers: { 'Content-Type': 'application/rss+xml' } });
}
