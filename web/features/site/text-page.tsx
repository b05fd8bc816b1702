/** Text pages: a title, a summary, and sections with anchors. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { getSiteFacts } from '#web/lib/page/site-facts.ts';
import { cn } from '#web/ui/cn.ts';

const textLinkClass =
  'text-ink underline decoration-edge underline-offset-4 transition-colors duration-150 hover:decoration-ink';

interface TextPageProps {
  title: string;
  /** A summary in a few lines. */
  lead: ReactNode;
  /** In order; each is listed next to the text. */
  sections: readonly { id: string; title: string }[];
  children: ReactNode;
}

export function TextPage({ title, lead, sections, children }: TextPageProps) {
  return (
    <div className="mx-auto max-w-6xl px-4 pt-10 pb-16 sm:px-6 sm:pt-16 sm:pb-24">
      <header className="grid gap-4">
        <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight sm:text-5xl">{title}</h1>
        <div className="grid max-w-[38em] gap-3 text-lg leading-relaxed text-graphite">{lead}</div>
      </header>
      <div className="mt-10 grid gap-x-16 border-t border-hairline pt-8 sm:mt-14 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <nav aria-label="On this page" className="max-lg:hidden">
          <ol className="sticky top-20 grid gap-0.5 text-sm">
            {sections.map((section) => (
              <li key={section.id}>
                <a
                  href={`#${section.id}`}
                  className="-ml-3 inline-flex min-h-8 items-center rounded-md px-3 py-1 leading-snug text-graphite transition-colors duration-150 hover:bg-wash hover:text-ink"
                >
                  {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div className="grid max-w-[43em] min-w-0 gap-12">{children}</div>
      </div>
    </div>
  );
}

interface TextSectionProps {
  id: string;
  title: string;
  children: ReactNode;
}

/** One section; its paragraphs, lists and tables are plain elements. */
export function TextSection({ id, title, children }: TextSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-20">
      <h2 id={`${id}-title`} className="font-serif text-2xl leading-snug font-medium tracking-tight">
        {title}
      </h2>
      <div
        className={cn(
          'mt-3 grid gap-3 text-base leading-relaxed',
          '[&_ul]:grid [&_ul]:list-disc [&_ul]:gap-2 [&_ul]:pl-5 [&_ul]:marker:text-edge',
        )}
      >
        {children}
      </div>
    </section>
  );
}

/** The support address, as a link. */
export function SupportEmail() {
  const { supportEmail } = getSiteFacts();
  return (
    <a href={`mailto:${supportEmail}`} className={cn(textLinkClass, 'break-words')}>
      {supportEmail}
    </a>
  );
}

export function PageLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={textLinkClass}>
      {children}
    </Link>
  );
}
