import './blog.css';

/** What the build made of the blog's Markdown; its links go to whole pages. */
export function BlogContent({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: written by the build from content/blog
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}
