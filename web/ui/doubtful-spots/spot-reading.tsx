import { lazy, Suspense } from 'react';
import { spellOutHidden } from '#latex/source/hidden-characters.ts';
import { retryImport } from '#web/lib/retry-import.ts';

const Formula = lazy(async () => ({
  default: (await retryImport(() => import('#web/ui/formula.tsx'))).Formula,
}));

interface SpotReadingProps {
  latex: string;
  /** All of it is within a formula. */
  isMaths: boolean;
}

/** A stretch of LaTeX as it will look: words with formulas among them; anything else as its source. */
export function SpotReading({ latex, isMaths }: SpotReadingProps) {
  const parts = isMaths ? [{ isMaths, text: latex }] : splitWords(latex);
  if (!parts) return <code className="font-mono text-[0.8em] break-words">{spellOutHidden(latex)}</code>;
  return (
    <span className="font-serif break-words">
      {parts.map(({ isMaths: isFormula, text }, at) => {
        const key = at;
        if (!isFormula) return <span key={key}>{spellOutHidden(text)}</span>;
        return (
          <Suspense key={key} fallback={<span className="text-graphite">{text}</span>}>
            <Formula tex={text} isDisplay={false} />
          </Suspense>
        );
      })}
    </span>
  );
}

/** Words, without the backslashes of escaped signs, and formulas; null if it contains anything else. */
function splitWords(latex: string): { isMaths: boolean; text: string }[] | null {
  const pieces = latex.split(/(?<!\\)\$/);
  if (pieces.length % 2 === 0) return null;
  const parts = pieces.map((piece, at) => {
    const isMaths = at % 2 === 1;
    return {
      isMaths,
      text: isMaths
        ? piece
        : piece
            .replaceAll(/\\text(backslash|asciicircum|asciitilde)\{\}/g, (_, name) => named[name]!)
            .replaceAll(/\\([&%#_${}])/g, '$1'),
    };
  });
  const isPlain = pieces.every(
    (piece, at) => at % 2 === 1 || !/\\(?![&%#_${}]|text(?:backslash|ascii))/.test(piece),
  );
  return isPlain ? parts.filter(({ text }) => text !== '') : null;
}

const named: Record<string, string> = { backslash: '\\', asciicircum: '^', asciitilde: '~' };
