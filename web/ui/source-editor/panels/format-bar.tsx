import type { EditorView } from '@codemirror/view';
import {
  Bold,
  BookMarked,
  ChevronDown,
  Ellipsis,
  Image,
  Italic,
  Link,
  List,
  ListOrdered,
  PenLine,
  Sigma,
  Table,
  Tag,
} from 'lucide-react';
import { Toolbar } from 'radix-ui';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { retryImport } from '#web/lib/retry-import.ts';
import { cn } from '#web/ui/cn.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#web/ui/controls/menu.tsx';
import { type HeadingName, readHeading, setHeading } from '../edits/headings.ts';
import { type ListName, readList } from '../edits/lists.ts';
import { hasStyle } from '../edits/style.ts';
import { command } from '../extensions/formatting.ts';
import { inkReading } from '../extensions/surroundings.ts';
import { formats } from '../formats.ts';
import { nameKeys } from '../key-names.ts';
import type { InsertPanelName } from './insert-panel.tsx';
import { ToolPopover } from './tool-popover.tsx';
import { useFold } from './use-fold.ts';
import { sameFields, useFacts } from './use-view.ts';

const InsertPanel = lazy(async () => ({
  default: (await retryImport(() => import('./insert-panel.tsx'))).InsertPanel,
}));

const headings: Record<HeadingName | 'text', string> = {
  text: 'Text',
  part: 'Part',
  chapter: 'Chapter',
  section: 'Section',
  subsection: 'Subsection',
  subsubsection: 'Subsubsection',
  paragraph: 'Paragraph heading',
  subparagraph: 'Subparagraph heading',
};

interface Facts {
  heading: HeadingName | null;
  isBold: boolean;
  isItalic: boolean;
  list: ListName | null;
}

const facts = {
  read: ({ state }: EditorView): Facts => ({
    heading: readHeading(state),
    isBold: hasStyle(state, 'bold'),
    isItalic: hasStyle(state, 'italic'),
    list: readList(state),
  }),
  isSame: sameFields<Facts>,
  restMs: 80,
};

interface FormatBarProps {
  view: EditorView;
  isReadOnly: boolean;
  onPictures: ((files: File[], at: number) => void) | undefined;
}

/**
 * The bar above the source: a word processor's formatting, as edits of the LaTeX. Buttons that do not fit are
 * folded.
 */
export function FormatBar({ view, isReadOnly, onPictures }: FormatBarProps) {
  const { heading, isBold, isItalic, list } = useFacts(view, facts);
  const [open, setOpen] = useState<InsertPanelName | null>(null);
  const [isUnfolded, setIsUnfolded] = useState(false);
  const row = useRef<HTMLDivElement>(null);
  const isFull = useFold(row, isUnfolded);
  const isMac = navigator.platform.startsWith('Mac');
  const named = (label: string, keys?: string) => (keys ? `${label} (${nameKeys(keys, isMac)})` : label);

  const run = (edit: (view: EditorView) => boolean) => {
    setOpen(null);
    edit(view);
    view.focus();
  };
  const tool = (label: string, icon: ReactNode, edit: keyof typeof formats, isOn?: boolean) => (
    <Toolbar.Button asChild disabled={isReadOnly}>
      <IconButton
        size="small"
        label={label}
        aria-pressed={isOn}
        // the source keeps the focus, and a phone its keyboard
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => run(formats[edit])}
        className="aria-pressed:bg-wash aria-pressed:text-ink"
      >
        {icon}
      </IconButton>
    </Toolbar.Button>
  );
  const opener = (name: InsertPanelName, label: string, icon: ReactNode) => (
    <ToolPopover
      view={view}
      label={label}
      side="bottom"
      isOpen={open === name}
      onOpenChange={(isOpen) => setOpen(isOpen ? name : null)}
      trigger={
        <Toolbar.Button asChild disabled={isReadOnly}>
          <IconButton size="small" label={label}>
            {icon}
          </IconButton>
        </Toolbar.Button>
      }
    >
      {open === name && (
        <Suspense fallback={<Loading />}>
          <InsertPanel
            name={name}
            view={view}
            run={run}
            onPictures={
              onPictures &&
              ((files) => {
                setOpen(null);
                onPictures(files, view.state.selection.main.head);
              })
            }
          />
        </Suspense>
      )}
    </ToolPopover>
  );

  return (
    <Toolbar.Root
      aria-label="Formatting"
      className="flex items-start px-1 py-1.5 text-[0.8125rem] pointer-coarse:py-0.5"
    >
      <div
        ref={row}
        className={cn(
          'flex min-w-0 flex-1 flex-wrap gap-y-1',
          !isUnfolded && 'h-8 overflow-clip [overflow-clip-margin:4px] pointer-coarse:h-11',
        )}
      >
        <Group>
          <Menu
            align="start"
            onClosed={() => view.focus()}
            trigger={
              <Toolbar.Button asChild disabled={isReadOnly}>
                <button
                  type="button"
                  aria-label={`Heading: ${headings[heading ?? 'text']}`}
                  className="flex h-8 w-32 items-center justify-between gap-1 rounded-md px-2 hover:bg-wash disabled:text-graphite pointer-coarse:h-11"
                >
                  <span className="truncate">{headings[heading ?? 'text']}</span>
                  <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-graphite" />
                </button>
              </Toolbar.Button>
            }
          >
            <MenuChoice
              label="This line"
              value={heading ?? 'text'}
              options={listHeadings(view, heading).map((value) => ({ value, label: headings[value] }))}
              onChange={(value) =>
                run(command((state) => setHeading(state, value === 'text' ? null : value)))
              }
            />
          </Menu>
        </Group>
        <Group>
          {tool(named('Bold', 'Mod-b'), <Bold />, 'bold', isBold)}
          {tool(named('Italic', 'Mod-i'), <Italic />, 'italic', isItalic)}
        </Group>
        <Group>
          {tool('Bulleted list', <List />, 'bullets', list === 'itemize')}
          {tool('Numbered list', <ListOrdered />, 'numbers', list === 'enumerate')}
        </Group>
        <Group>
          <Menu
            align="start"
            onClosed={() => view.focus()}
            trigger={
              <Toolbar.Button asChild disabled={isReadOnly}>
                <IconButton size="small" label="Formula">
                  <Sigma />
                </IconButton>
              </Toolbar.Button>
            }
          >
            <MenuItem onSelect={() => run(formats.math)} keys={nameKeys('Mod-m', isMac)}>
              In the line
            </MenuItem>
            <MenuItem onSelect={() => run(formats.displayMath)} keys={nameKeys('Shift-Mod-m', isMac)}>
              On a line of its own
            </MenuItem>
            <MenuItem onSelect={() => run(formats.equation)}>With a number</MenuItem>
            <MenuSeparator />
            <MenuItem
              // once the menu has returned the focus
              onSelect={() => setTimeout(() => formats.formula(view))}
              keys={nameKeys('Mod-Alt-m', isMac)}
            >
              Visual editor
            </MenuItem>
          </Menu>
          {view.state.facet(inkReading) && tool(named('Write by hand', 'Mod-Alt-p'), <PenLine />, 'pad')}
        </Group>
        <Group>
          {opener('table', 'Table', <Table />)}
          {opener('figure', 'Figure', <Image />)}
        </Group>
        <Group>
          {tool('Link', <Link />, 'link')}
          {opener('citation', 'Citation', <BookMarked />)}
          {opener('reference', 'Reference', <Tag />)}
        </Group>
      </div>
      {(isFull || isUnfolded) && (
        <Toolbar.Button asChild>
          <IconButton
            size="small"
            label={isUnfolded ? 'Fewer tools' : 'More tools'}
            aria-expanded={isUnfolded}
            onClick={() => setIsUnfolded(!isUnfolded)}
          >
            <Ellipsis />
          </IconButton>
        </Toolbar.Button>
      )}
    </Toolbar.Root>
  );
}

/** The buttons that are folded together. */
function Group({ children }: { children: ReactNode }) {
  return (
    <div className="group/tools flex items-center gap-0.5">
      {children}
      <span
        aria-hidden="true"
        className="mx-1 h-4 w-px bg-hairline group-last/tools:hidden group-data-ends/tools:invisible"
      />
    </div>
  );
}

/** Chapters and parts only in documents that can have them. */
function listHeadings({ state }: EditorView, current: HeadingName | null): (HeadingName | 'text')[] {
  const isBook = /\\documentclass\s*(?:\[[^\]]*\])?\s*\{(?:scr)?(?:book|reprt|report|memoir)\}/.test(
    state.sliceDoc(0, 2_000),
  );
  return (Object.keys(headings) as (HeadingName | 'text')[]).filter(
    (name) => isBook || name === current || (name !== 'part' && name !== 'chapter'),
  );
}
