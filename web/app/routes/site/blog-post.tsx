import { pages } from 'virtual:blog';
import { data } from 'react-router';
import { articleAddress, articlePicture, describeArticlePicture } from '#shared/blog.ts';
import { BlogContent } from '#web/features/blog/blog-content.tsx';
import { describePage } from '#web/lib/page/page-meta.ts';
import type { Route } from './+types/blog-post';

/** In the build alone: the pages are there before anybody asks. */
export function loader({ params }: Route.LoaderArgs) {
  const page = pages.find(({ slug }) => slug === params.slug);
  if (!page) throw data(null, { status: 404 });
  return { page };
}

/** Without one of its own, a page that was not built would be begun without its data: here it is asked for, and missing. */
export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return serverLoader();
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [{ title: 'Not found · Inkproof' }];
  const { slug, title, description } = loaderData.page;
  // the static page is the one to be found
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
