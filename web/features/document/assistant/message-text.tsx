import { lazy, memo, Suspense } from 'react';
import { spellOutHidden } from '#latex/source/hidden-characters.ts';
import { retryImport } from '#web/lib/retry-import.ts';
import { type Inline, parseMessage } from './parse-message.ts';

const Formula = lazy(async () => ({
  default: (await retryImport(() => import('#web/ui/formula.tsx'))).Formula,
}));

/** An answer with its formulas typeset. */
export const MessageText = memo(function MessageText({ text }: { text: string }) {
  return (
    <div className="grid gap-2 text-sm leading-relaxed [overflow-wrap:anywhere]">
      {parseMessage(spellOutHidden(text)).map((block, index) => {
        // blocks only grow at the end
        const key = `${index} ${block.kind}`;
        if (block.kind === 'paragraph')
          return (
            <p key={key} className="whitespace-pre-line">
              <Inlines inlines={block.inlines} />
            </p>
          );
        if (block.kind === 'code')
          return (
            <pre
              key={key}
              className="rounded-md bg-wash px-3 py-2 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]"
            >
              {block.text}
            </pre>
          );
        const List = block.isOrdered ? 'ol' : 'ul';
        return (
          <List key={key} className={`grid gap-1 pl-5 ${block.isOrdered ? 'list-decimal' : 'list-disc'}`}>
            {block.items.map((inlines, item) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: items have nothing else, and only grow at the end
              <li key={item}>
                <Inlines inlines={inlines} />
              </li>
            ))}
          </List>
        );
      })}
    </div>
  );
});

function Inlines({ inlines }: { inlines: readonly Inline[] }) {
  return inlines.map((inline, index) => {
    const key = `${index} ${inline.kind}`;
    return <Piece key={key} inline={inline} />;
  });
}

function Piece({ inline }: { inline: Inline }) {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'bold':
      return <strong>{inline.text}</strong>;
    case 'code':
      return <code className="rounded bg-wash px-1 py-0.5 font-mono text-[0.85em]">{inline.text}</code>;
    case 'maths':
      return (
        <Suspense fallback={<span className="font-mono text-[0.85em]">{inline.tex}</span>}>
          <Formula tex={inline.tex} isDisplay={inline.isDisplay} />
        </Suspense>
      );
  }
}
