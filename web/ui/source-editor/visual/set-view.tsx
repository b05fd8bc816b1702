/** Figures, tables and the title inside the editor, rendered by the exports' reader. */
import { useMemo } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { readDocument } from '#latex/reader/read-document.ts';
import type { Figure } from '#shared/api/conversion.ts';
import { Inlines, LatexBlocks, Pictures } from '../../latex-blocks.tsx';

export interface SetContent {
  /** For a title, `latex` is the preamble. */
  kind: 'blocks' | 'title';
  latex: string;
  /** The document's macros, as LaTeX. */
  definitions: string;
}

const roots = new WeakMap<HTMLElement, Root>();

export function mountSet(dom: HTMLElement, content: SetContent, listFigures: () => readonly Figure[]): void {
  const root = createRoot(dom);
  roots.set(dom, root);
  root.render(
    <Pictures value={(name) => addressOf(listFigures(), name)}>
      {content.kind === 'title' ? (
        <Title preamble={content.latex} />
      ) : (
        <LatexBlocks latex={content.definitions + content.latex} />
      )}
    </Pictures>,
  );
}

export function unmountSet(dom: HTMLElement): void {
  // the editor may remove it while React draws something else
  queueMicrotask(() => roots.get(dom)?.unmount());
}

const noLabels = new Map();

function Title({ preamble }: { preamble: string }) {
  const { title, author, date } = useMemo(
    () => readDocument(`${preamble}\n\\begin{document}\n\\end{document}`, new Date()),
    [preamble],
  );
  return (
    <>
      <p className="cm-v-title">
        {title.length > 0 ? <Inlines content={title} labels={noLabels} /> : 'Untitled'}
      </p>
      {author.length > 0 && (
        <p>
          <Inlines content={author} labels={noLabels} />
        </p>
      )}
      {date.length > 0 && (
        <p>
          <Inlines content={date} labels={noLabels} />
        </p>
      )}
    </>
  );
}

/** The address of a figure named with its extension or without. */
function addressOf(figures: readonly Figure[], name: string): string | null {
  const found = figures.find(
    (one) =>
      (one.name === name || one.name.replace(/\.[^.]*$/, '') === name) && one.media_type.startsWith('image/'),
  );
  return found ? `data:${found.media_type};base64,${found.data_base64}` : null;
}
