import { type BlogArticle, blogDescription, blogTitle, feedAddress } from '#shared/blog.ts';
import { Byline } from './byline.tsx';
import './blog.css';

interface ArticleListProps {
  /** Newest first. */
  articles: readonly BlogArticle[];
  addressOf: (slug: string) => string;
}

export function ArticleList({ articles, addressOf }: ArticleListProps) {
  return (
    <div className="blog blog-list" lang="en-GB">
      <header>
        <p className="kicker">The Inkproof blog</p>
        <h1>{blogTitle}</h1>
        <p className="lead">{blogDescription}</p>
      </header>
      <ol>
        {articles.map((article) => (
          <li key={article.slug}>
            <article>
              <Byline article={article} />
              <h2>
                <a href={addressOf(article.slug)}>{article.title}</a>
              </h2>
              <p>{article.description}</p>
            </article>
          </li>
        ))}
      </ol>
      <p className="feed">
        <a href={feedAddress}>RSS feed</a>
      </p>
    </div>
  );
}
