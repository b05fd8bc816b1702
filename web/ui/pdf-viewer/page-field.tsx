import { useEffect, useState } from 'react';

/** Shows the current page number and takes another to go to. */
export function PageField({
  page,
  pageCount,
  onGo,
}: {
  page: number;
  pageCount: number;
  onGo: (number: number) => void;
}) {
  const [text, setText] = useState('1');
  useEffect(() => setText(String(page)), [page]);
  return (
    <form
      className="flex items-center gap-1.5 pl-1 text-graphite tabular-nums"
      onSubmit={(event) => {
        event.preventDefault();
        onGo(Number(text));
      }}
    >
      <input
        aria-label="PDF page"
        inputMode="numeric"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => setText(String(page))}
        className="h-8 w-10 rounded-md border border-edge bg-page text-center text-ink pointer-coarse:h-11"
      />
      / {pageCount || '–'}
    </form>
  );
}
