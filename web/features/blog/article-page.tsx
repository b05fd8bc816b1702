import type { BlogLink, BlogPage } from '#shared/blog.ts';
import { Byline } from './byline.tsx';
import './blog.css';

interface ArticlePageProps {
  page: BlogPage;
  /** Of the list of articles. */
  listAddress: string;
  addressOf: (slug: string) => string;
}

/** One article, with links to its neighbours. */
export function ArticlePage({ page, listAddress, addressOf }: ArticlePageProps) {
  const neighbour = (other: BlogLink | null, label: string, rel: 'prev' | 'next') =>
    other && (
      <a className={rel} rel={rel} href={addressOf(other.slug)}>
        <span>{label}</span>
        {other.title}
      </a>
    );
  return (
    <div className="blog" lang="en-GB">
      <article>
        <header>
          <p className="kicker">
            <a href={listAddress}>Blog</a>
          </p>
          <h1>{page.title}</h1>
          <p className="lead">{page.description}</p>
          <Byline article={page} />
        </header>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by the build from content/blog */}
        <div className="prose" dangerouslySetInnerHTML={{ __html: page.html }} />
      </article>
      <aside className="try" aria-label="Try Inkproof">
        <p>
          Inkproof turns photos, scans and PDFs of notes into LaTeX that compiles, with its PDF. The first ten
          pages are free.
        </p>
        <a className="action" href="/convert">
          Convert your notes
        </a>
      </aside>
      <nav className="neighbours" aria-label="More articles">
        {neighbour(page.previous, 'Previous', 'prev')}
        {neighbour(page.next, 'Next', 'next')}
      </nav>
    </div>
  );
}
