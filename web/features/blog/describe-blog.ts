/** What machines are told about the blog: a page's head, and the feed. */
import {
  articleAddress,
  articlePicture,
  type BlogArticle,
  blogAddress,
  blogDescription,
  blogTitle,
  describeArticlePicture,
  feedAddress,
} from '#shared/blog.ts';
import { escapeMarkup } from '#shared/escape-markup.ts';
import { describePage, siteAddress } from '#web/lib/page/page-meta.ts';

const feedLink = {
  ...{ tagName: 'link', rel: 'alternate', type: 'application/rss+xml' },
  ...{ title: 'Inkproof blog', href: feedAddress },
};

/** The app's own pages name the static ones as canonical. */
export function describeList() {
  const page = describePage({
    path: blogAddress,
    title: `${blogTitle} · Inkproof`,
    description: blogDescription,
  });
  return [...page, feedLink];
}

export function describeArticlePage(article: BlogArticle) {
  const { slug, title, description } = article;
  const page = describePage({
    type: 'article',
    path: articleAddress(slug),
    title: `${title} · Inkproof`,
    description,
    image: { path: articlePicture(slug), alt: describeArticlePicture(article) },
    data: [describeArticle(article)],
  });
  return [...page, feedLink];
}

/** The article in schema.org's terms; the publisher is the site. */
export function describeArticle(article: BlogArticle): Record<string, unknown> {
  const publisher = { '@type': 'Organization', name: 'Inkproof', url: siteAddress('/') };
  return {
    '@type': 'Article',
    headline: article.title,
    description: article.description,
    datePublished: article.published,
    dateModified: article.updated,
    inLanguage: 'en-GB',
    image: siteAddress(articlePicture(article.slug)),
    mainEntityOfPage: siteAddress(articleAddress(article.slug)),
    author: publisher,
    publisher,
  };
}

/** RSS 2.0 with absolute addresses. @param articles newest first */
export function writeFeed(articles: readonly BlogArticle[]): string {
  const items = articles.map(({ slug, title, description, published }) => {
    const url = siteAddress(articleAddress(slug));
    return `<item><title>${escapeMarkup(title)}</title><link>${url}</link><guid isPermaLink="true">${url}</guid><pubDate>${new Date(`${published}T00:00:00Z`).toUTCString()}</pubDate><description>${escapeMarkup(description)}</description></item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>Inkproof: ${blogTitle}</title><link>${siteAddress(blogAddress)}</link><description>${escapeMarkup(blogDescription)}</description><language>en-gb</language>
<atom:link href="${siteAddress(feedAddress)}" rel="self" type="application/rss+xml"/>
${items.join('\n')}
</channel></rss>
`;
}
