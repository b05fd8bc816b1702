import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Question } from './questions.ts';

/** Questions that open one by one. */
export function QuestionsSection({ questions }: { questions: readonly Question[] }) {
  return (
    <section aria-labelledby="questions" className="landing-row">
      <h2 id="questions" className="landing-title">
        Questions
      </h2>
      <div className="border-t border-hairline">
        {questions.map(({ question, answer }) => (
          <Fold key={question} title={question}>
            <p>{answer}</p>
          </Fold>
        ))}
      </div>
    </section>
  );
}

/** A collapsible section; works without scripts. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="landing-fold border-b border-hairline">
      <summary className="flex min-h-14 items-center justify-between gap-6 py-3 text-base font-medium">
        {title}
        <ChevronDown className="size-4 shrink-0 text-graphite" aria-hidden="true" />
      </summary>
      <div className="grid max-w-[39em] gap-3 pb-6 leading-relaxed text-graphite">{children}</div>
    </details>
  );
}
