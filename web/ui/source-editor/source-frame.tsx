import type { EditorView } from '@codemirror/view';
import { lazy, type ReactNode, Suspense } from 'react';
import { retryImport } from '#web/lib/retry-import.ts';
import type { EditorCommand } from './editor-commands.ts';
import { useSettings } from './editor-settings.ts';
import { FormulaHost } from './formula/formula-host.tsx';
import { PadHost } from './pad/pad-host.tsx';
import { EditorBar } from './panels/editor-bar.tsx';

const FormatBar = lazy(async () => ({
  default: (await retryImport(() => import('./panels/format-bar.tsx'))).FormatBar,
}));
const OutlinePanel = lazy(async () => ({
  default: (await retryImport(() => import('./panels/outline-panel.tsx'))).OutlinePanel,
}));

interface SourceFrameProps {
  /** Null until the editor is mounted. */
  view: EditorView | null;
  isReadOnly: boolean;
  /** Commands of the surrounding screen. */
  commands: readonly EditorCommand[];
  /** Adds pictures to the document and to the text at this place; without it, none can be added here. */
  onPictures?: (files: File[], at: number) => void;
  /** The element that the editor is mounted in. */
  children: ReactNode;
}

/** The source and what surrounds it: the formatting bar, the outline if it stays open, and the bar below. */
export function SourceFrame({ view, isReadOnly, commands, onPictures, children }: SourceFrameProps) {
  const { outline } = useSettings();
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      {/* as high as the bar: nothing moves when it appears */}
      <div className="min-h-11 shrink-0 border-b border-hairline bg-page pointer-coarse:min-h-12">
        {view && (
          <Suspense>
            <FormatBar view={view} isReadOnly={isReadOnly} onPictures={onPictures} />
          </Suspense>
        )}
      </div>
      <div className="flex min-h-0 flex-1 flex-col @2xl:flex-row">
        {view && outline === 'open' && (
          <nav
            aria-label="Outline"
            className="flex max-h-40 shrink-0 flex-col border-b border-hairline bg-paper @2xl:max-h-none @2xl:w-56 @2xl:border-r @2xl:border-b-0"
          >
            <Suspense>
              <OutlinePanel view={view} isPinned onClose={() => view.focus()} />
            </Suspense>
          </nav>
        )}
        {children}
      </div>
      {view && <FormulaHost view={view} />}
      {view && <PadHost view={view} />}
      {view && <EditorBar view={view} isReadOnly={isReadOnly} commands={commands} />}
    </div>
  );
}
