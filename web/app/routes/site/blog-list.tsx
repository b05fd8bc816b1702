import { list } from 'virtual:blog';
import { blogAddress } from '#shared/blog.ts';
import { BlogContent } from '#web/features/blog/blog-content.tsx';
import { describePage } from '#web/lib/page/page-meta.ts';
import type { Route } from './+types/blog-list';

/** At build time only: the page is prerendered. */
export function loader() {
  return { list };
}

export function meta() {
  return describePage({
    // the static page is the canonical one
    path: blogAddress,
    title: 'Blog · Inkproof',
    description:
      'How to photograph, convert, check and keep handwritten notes, and how to write them in LaTeX.',
  });
}

export default function BlogList({ loaderData }: Route.ComponentProps) {
  return <BlogContent html={loaderData.list} />;
}
