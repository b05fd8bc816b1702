import { presentableDiff } from '@codemirror/merge';
import { useId, useMemo } from 'react';
import { spellOutHidden } from '#latex/source/hidden-characters.ts';
import { cn } from '#web/ui/cn.ts';
import { ScrollArea } from '#web/ui/controls/scroll-area.tsx';
import type { Choice, Conflict, Side } from './conflict-places.ts';

interface ConflictCardProps {
  /** 1-based. */
  number: number;
  total: number;
  conflict: Conflict;
  /** 1-based line of the result. */
  line: number;
  choice: Choice | null;
  onChoose: (side: Side) => void;
  onShow: () => void;
}

const sides: [Side, string][] = [
  ['mine', 'Keep mine'],
  ['theirs', 'Keep the saved one'],
  ['both', 'Keep both'],
];

/** One conflict: each side's version, and the choice. */
export function ConflictCard({ number, total, conflict, line, choice, onChoose, onShow }: ConflictCardProps) {
  const { mine, theirs } = conflict;
  const changes = useMemo(() => presentableDiff(theirs, mine, { scanLimit: 500 }), [mine, theirs]);
  const title = `Conflict ${number} of ${total}`;
  const name = useId();
  return (
    <li className="rounded-xl border border-hairline bg-page p-4">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="text-sm font-medium">{title}</h3>
        <button
          type="button"
          className="rounded text-[0.8125rem] text-graphite underline decoration-edge underline-offset-4 hover:text-ink pointer-coarse:min-h-11"
          onClick={onShow}
        >
          Line {line}
          <span className="sr-only"> in the result</span>
        </button>
      </div>
      <Words
        label="Mine"
        text={mine}
        marks={changes.map(({ fromB, toB }) => [fromB, toB])}
        className="decoration-green"
      />
      <Words
        label="Saved elsewhere"
        text={theirs}
        marks={changes.map(({ fromA, toA }) => [fromA, toA])}
        className="decoration-red"
      />
      <fieldset aria-label={title} className="mt-3 flex flex-wrap gap-2">
        {sides.map(([side, label]) => (
          <label
            key={side}
            className="relative inline-flex min-h-9 items-center rounded-lg border border-edge bg-page px-3 text-[0.8125rem] font-medium transition-colors duration-150 hover:bg-wash has-checked:border-ink has-checked:bg-ink has-checked:text-paper has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus pointer-coarse:min-h-11"
          >
            <input
              type="radio"
              name={name}
              checked={choice === side}
              onChange={() => onChoose(side)}
              // the label is what is seen
              className="absolute inset-0 opacity-0"
            />
            {label}
          </label>
        ))}
      </fieldset>
      {choice === 'edited' && <p className="mt-2 text-[0.8125rem] text-graphite">Edited by hand.</p>}
    </li>
  );
}

interface WordsProps {
  label: string;
  text: string;
  marks: [from: number, to: number][];
  className: string;
}

function Words({ label, text, marks, className }: WordsProps) {
  const parts: { at: number; text: string; isMarked: boolean }[] = [];
  let at = 0;
  for (const [from, to] of marks) {
    parts.push({ at, text: text.slice(at, from), isMarked: false });
    parts.push({ at: from, text: text.slice(from, to), isMarked: true });
    at = to;
  }
  parts.push({ at, text: text.slice(at), isMarked: false });
  return (
    <figure className="mt-3">
      <figcaption className="text-[0.75rem] text-graphite">{label}</figcaption>
      {text === '' ? (
        <p className="mt-1 text-[0.8125rem] text-graphite italic">Removed</p>
      ) : (
        <ScrollArea label={label} className="mt-1 max-h-40 overflow-auto rounded-md bg-paper-deep p-2">
          <pre className="font-mono text-[0.75rem] leading-relaxed break-words whitespace-pre-wrap">
            {parts.map((part) =>
              part.isMarked ? (
                <span
                  key={`${part.at}-marked`}
                  className={cn('underline decoration-2 underline-offset-4', className)}
                >
                  {spellOutHidden(part.text)}
                </span>
              ) : (
                spellOutHidden(part.text)
              ),
            )}
          </pre>
        </ScrollArea>
      )}
    </figure>
  );
}
