import './blog.css';
import './blog-page.css';

/** The build's HTML of the blog's Markdown; its links load whole pages. */
export function BlogContent({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: written by the build from content/blog
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}
