import { goToNextChunk, goToPreviousChunk, MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { spellOutHidden } from '#latex/source/hidden-characters.ts';
import { ScrollArea } from '#web/ui/controls/scroll-area.tsx';
import { showCompared } from './comparison.ts';

export interface TextComparisonHandle {
  /** Goes to the next or previous difference, wrapping around. */
  step: (direction: 1 | -1) => void;
}

interface TextComparisonProps {
  ref: Ref<TextComparisonHandle>;
  from: string;
  to: string;
  mode: 'beside' | 'unified';
  /** Long unchanged stretches are folded. */
  isFolded: boolean;
}

/** Limits for detailed comparison: a completely rewritten text shows whole lines. */
const diffConfig = { scanLimit: 5_000, timeout: 400 };

/** Two texts and their differences, read-only. */
export function TextComparison({ ref, mode, isFolded, ...texts }: TextComparisonProps) {
  // spelled out in the text itself, as deleted text is not in an editor line
  const [from, to] = [spellOutHidden(texts.from), spellOutHidden(texts.to)];
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);

  useEffect(() => {
    const parent = frame.current;
    if (!parent) return;
    const collapseUnchanged = isFolded ? { margin: 3, minSize: 8 } : undefined;
    if (mode === 'unified') {
      const editor = new EditorView({
        parent,
        state: EditorState.create({
          doc: to,
          extensions: [
            showCompared({ label: 'Both texts' }),
            unifiedMergeView({
              original: from,
              mergeControls: false,
              syntaxHighlightDeletions: false,
              collapseUnchanged,
              diffConfig,
            }),
          ],
        }),
      });
      view.current = editor;
      return () => {
        view.current = null;
        editor.destroy();
      };
    }
    const pair = new MergeView({
      parent,
      a: { doc: from, extensions: showCompared({ label: 'The earlier version' }) },
      b: { doc: to, extensions: showCompared({ label: 'The later version' }) },
      collapseUnchanged,
      diffConfig,
    });
    view.current = pair.b;
    return () => {
      view.current = null;
      pair.destroy();
    };
  }, [from, to, mode, isFolded]);

  useImperativeHandle(ref, () => ({
    step(direction) {
      const target = view.current;
      if (!target) return;
      (direction === 1 ? goToNextChunk : goToPreviousChunk)(target);
    },
  }));

  return (
    <ScrollArea label="Comparison" className="h-full overflow-auto [&_.cm-editor]:min-h-full">
      <div ref={frame} />
    </ScrollArea>
  );
}
