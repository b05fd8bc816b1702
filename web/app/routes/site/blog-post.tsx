import { pages } from 'virtual:blog';
import { data } from 'react-router';
import { articleAddress, articlePicture, describeArticlePicture } from '#shared/blog.ts';
import { BlogContent } from '#web/features/blog/blog-content.tsx';
import { describePage } from '#web/lib/page/page-meta.ts';
import type { Route } from './+types/blog-post';

/** At build time only: the pages are prerendered. */
export function loader({ params }: Route.LoaderArgs) {
  const page = pages.find(({ slug }) => slug === params.slug);
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
  if (!loaderData) return [{ title: 'Not found · Inkproof' }];
  const { slug, title, description } = loaderData.page;
  // the static page is the canonical one
  return describePage({
    path: articleAddress(slug),
    title: `${title} · Inkproof`,
    description,
    image: { path: articlePicture(slug), alt: describeArticlePicture({ title }) },
  });
}

export default function BlogPost({ loaderData }: Route.ComponentProps) {
  return <BlogContent html={loaderData.page.html} />;
}
