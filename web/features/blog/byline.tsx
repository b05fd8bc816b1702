import type { BlogArticle } from '#shared/blog.ts';

/** When an article was written, and how long it takes to read. */
export function Byline({ article: { published, updated, minutes } }: { article: BlogArticle }) {
  return (
    <p className="byline">
      <Day date={published} />
      {updated !== published && (
        <>
          {' · updated '}
          <Day date={updated} />
        </>
      )}
      {` · ${minutes} min read`}
    </p>
  );
}

function Day({ date }: { date: string }) {
  const text = new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', {
    ...{ day: 'numeric', month: 'long', year: 'numeric' },
    timeZone: 'UTC',
  });
  return <time dateTime={date}>{text}</time>;
}
