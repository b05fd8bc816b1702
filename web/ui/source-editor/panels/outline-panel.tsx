import type { EditorView } from '@codemirror/view';
import { Pin, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { spellOutHidden } from '#latex/source/hidden-characters.ts';
import { cn } from '#web/ui/cn.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import { changeSettings } from '../editor-settings.ts';
import { projectTexts } from '../extensions/surroundings.ts';
import type { ProjectHeading } from '../lines/project-outline.ts';
import { useOutline } from './use-outline.ts';
import { jumpTo } from './use-view.ts';

interface OutlinePanelProps {
  view: EditorView;
  /** Stays open next to the source, and follows the cursor. */
  isPinned: boolean;
  onClose: () => void;
}

/** The headings: arrow keys move, Enter jumps. */
export function OutlinePanel({ view, isPinned, onClose }: OutlinePanelProps) {
  const list = useRef<HTMLUListElement>(null);
  const { headings, here } = useOutline(view);
  const highest = Math.min(...headings.map(({ level }) => level));
  useEffect(() => {
    list.current?.children[here]?.scrollIntoView({ block: 'nearest' });
  }, [here]);
  // loaded when opened: the popover cannot place the focus itself
  useEffect(() => {
    if (!isPinned) list.current?.querySelector<HTMLElement>('[data-first-focus]')?.focus();
  }, [isPinned]);

  const handlePress = ({ file, line }: ProjectHeading) => {
    const project = view.state.facet(projectTexts);
    if (project && project.file !== file) project.show(file, line);
    else jumpTo(view, line);
    if (!isPinned) onClose();
  };
  const handleKey = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(next, buttons.length - 1))]?.focus();
  };
  return (
    <div
      className={cn(
        'flex flex-col',
        isPinned ? 'min-h-0 flex-1' : 'max-h-[min(26rem,60vh)] w-[min(20rem,calc(100vw-1.5rem))]',
      )}
    >
      <div className="flex shrink-0 items-center justify-between py-1 pr-1 pl-4 text-xs text-graphite">
        Outline
        <IconButton
          size="small"
          label={isPinned ? 'Close the outline' : 'Keep open next to the source'}
          onClick={() => {
            changeSettings({ outline: isPinned ? 'closed' : 'open' });
            onClose();
          }}
        >
          {isPinned ? <X /> : <Pin />}
        </IconButton>
      </div>
      {headings.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-graphite">Headings appear here: \section, \subsection.</p>
      ) : (
        <ul
          ref={list}
          aria-label="Outline"
          onKeyDown={handleKey}
          className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-1.5"
        >
          {headings.map((heading, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a file may be included twice
            <li key={`${heading.file}:${heading.line}:${index}`}>
              <button
                type="button"
                aria-current={index === here || undefined}
                data-first-focus={index === Math.max(here, 0) || undefined}
                tabIndex={index === Math.max(here, 0) ? 0 : -1}
                onClick={() => handlePress(heading)}
                style={{ paddingLeft: `${0.625 + 0.875 * (heading.level - highest)}rem` }}
                className="block min-h-8 w-full truncate rounded-md pr-2.5 text-left text-sm hover:bg-wash aria-[current]:bg-wash aria-[current]:font-medium pointer-coarse:min-h-11"
              >
                {spellOutHidden(heading.title) || 'Untitled'}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
