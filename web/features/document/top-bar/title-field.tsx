import { useEffect, useRef, useState } from 'react';
import { maxTitleLength } from '#shared/api/library.ts';

interface TitleFieldProps {
  title: string;
  onRename: (title: string) => void;
}

/** The title, editable in place: Enter or leaving the field saves, Escape reverts. */
export function TitleField({ title, onRename }: TitleFieldProps) {
  const [text, setText] = useState(title);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(title), [title]);
  const keep = () => {
    const name = text.replace(/\p{Cc}+/gu, ' ').trim();
    if (name !== '' && name !== title) onRename(name);
    else setText(title);
  };
  return (
    <h1 className="min-w-0 max-w-full">
      <span className="sr-only">{title}</span>
      <input
        ref={input}
        aria-label="Title"
        value={text}
        maxLength={maxTitleLength}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === 'Enter') input.current?.blur();
          if (event.key !== 'Escape') return;
          setText(title);
          // after the value is reset: blurring saves what the field contains
          requestAnimationFrame(() => input.current?.blur());
        }}
        className="field-sizing-content h-8 max-w-full pointer-coarse:-my-1.5 pointer-coarse:h-11 min-w-16 truncate rounded-md border border-transparent bg-transparent px-1.5 text-[0.9375rem] font-medium transition-colors duration-150 hover:border-hairline focus:border-edge focus:bg-page pointer-coarse:text-base"
      />
    </h1>
  );
}
