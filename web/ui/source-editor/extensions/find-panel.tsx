import {
  closeSearchPanel,
  findNext,
  findPrevious,
  replaceAll,
  replaceNext,
  selectMatches,
} from '@codemirror/search';
import { type EditorView, runScopeHandlers } from '@codemirror/view';
import {
  CaseSensitive,
  ChevronDown,
  ChevronRight,
  ChevronUp,
  Regex,
  TextCursor,
  TextSelect,
  WholeWord,
  X,
} from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { cn } from '#web/ui/cn.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';

/** The query and its options. */
export interface FindOptions {
  search: string;
  replace: string;
  isCase: boolean;
  isWord: boolean;
  isPattern: boolean;
}

export interface Found {
  /** Number of the selected match, from 1; 0 if none is. */
  current: number;
  total: number;
  /** There are more matches than were counted. */
  hasMore: boolean;
}

interface FindPanelProps {
  view: EditorView;
  options: FindOptions;
  /** False for an empty query, or an invalid pattern. */
  isValid: boolean;
  found: Found;
  /** Counts now: `found` lags a moment behind. */
  count: () => Found;
  /** Only the earlier selection is searched. */
  isInSelection: boolean;
  hasSelection: boolean;
  /** How often replacing was requested by its shortcut: each time the field opens and takes the focus. */
  replaceRequests: number;
  onChange: (options: FindOptions) => void;
  onScope: (isInSelection: boolean) => void;
}

/** Below this width, in px, the panel opens without the replacement field. */
const roomForReplace = 448;

/**
 * Find and replace: counts while typing; Enter goes to the next match, Shift+Enter to the previous, Escape closes.
 */
export function FindPanel(props: FindPanelProps) {
  const { view, options, isValid, found, isInSelection, hasSelection, onChange, onScope } = props;
  const canReplace = !view.state.readOnly;
  const [hasReplace, setHasReplace] = useState(() => view.dom.clientWidth >= roomForReplace);
  const [done, setDone] = useState<string | null>(null);
  const replaceField = useRef<HTMLInputElement>(null);
  const isMac = navigator.platform.startsWith('Mac');
  const answered = useRef(props.replaceRequests);
  useEffect(() => {
    if (props.replaceRequests === answered.current) return;
    answered.current = props.replaceRequests;
    setHasReplace(true);
    requestAnimationFrame(() => replaceField.current?.focus());
  }, [props.replaceRequests]);

  const change = (next: Partial<FindOptions>) => {
    setDone(null);
    onChange({ ...options, ...next });
  };
  const replaceEach = () => {
    const { total, hasMore } = props.count();
    if (replaceAll(view)) setDone(hasMore ? `More than ${total} replaced` : `${total} replaced`);
  };
  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const { key, shiftKey, altKey, target } = event;
    const isCommand = isMac ? event.metaKey && altKey : altKey && !event.ctrlKey;
    const letter = isCommand ? event.code : '';
    if (runScopeHandlers(view, event.nativeEvent, 'search-panel')) event.preventDefault();
    else if (letter === 'KeyC') change({ isCase: !options.isCase });
    else if (letter === 'KeyW') change({ isWord: !options.isWord });
    else if (letter === 'KeyR') change({ isPattern: !options.isPattern });
    else if (letter === 'KeyL' && (hasSelection || isInSelection)) onScope(!isInSelection);
    else if (key !== 'Enter' || !(target instanceof HTMLInputElement)) return;
    else if (target === replaceField.current && (event.ctrlKey || event.metaKey)) replaceEach();
    else if (target === replaceField.current) replaceNext(view);
    else if (altKey) selectAllMatches();
    else if (shiftKey) findPrevious(view);
    else findNext(view);
    event.preventDefault();
  };
  const selectAllMatches = () => {
    if (selectMatches(view)) view.focus();
  };
  const alt = isMac ? '⌥⌘' : 'Alt+';
  const hasMatches = found.total > 0;

  return (
    <search
      onKeyDown={handleKey}
      className="@container block px-2 py-1.5 font-sans text-[0.8125rem] leading-normal"
    >
      <div className="flex flex-wrap items-center gap-1">
        {canReplace && (
          <IconButton
            label={hasReplace ? 'Hide replace' : 'Show replace'}
            size="small"
            aria-expanded={hasReplace}
            onClick={() => setHasReplace(!hasReplace)}
          >
            <ChevronRight className={cn('transition-transform duration-150', hasReplace && 'rotate-90')} />
          </IconButton>
        )}
        <Field isWrong={options.search !== '' && !isValid}>
          <input
            type="text"
            main-field="true"
            placeholder="Find"
            aria-label="Find"
            aria-invalid={(options.search !== '' && !isValid) || undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={options.search}
            onChange={(event) => change({ search: event.target.value })}
            className={inputClass}
          />
          <Toggle
            label="Match case"
            keys={`${alt}C`}
            isOn={options.isCase}
            onToggle={() => change({ isCase: !options.isCase })}
          >
            <CaseSensitive />
          </Toggle>
          <Toggle
            label="Whole words"
            keys={`${alt}W`}
            isOn={options.isWord}
            onToggle={() => change({ isWord: !options.isWord })}
          >
            <WholeWord />
          </Toggle>
          <Toggle
            label="Regular expression"
            keys={`${alt}R`}
            isOn={options.isPattern}
            onToggle={() => change({ isPattern: !options.isPattern })}
          >
            <Regex />
          </Toggle>
          <Toggle
            label="In the selection"
            keys={`${alt}L`}
            isOn={isInSelection}
            isDisabled={!isInSelection && !hasSelection}
            onToggle={() => onScope(!isInSelection)}
          >
            <TextSelect />
          </Toggle>
        </Field>
        <div className="flex items-center gap-0.5 @max-md:order-last @max-md:basis-full">
          <output
            className={cn(
              'min-w-22 px-1 text-graphite tabular-nums @max-md:flex-1',
              options.search !== '' && (!isValid || !hasMatches) && done === null && 'text-red',
            )}
          >
            {done ?? describeFound(props)}
          </output>
          <IconButton
            label="Previous match"
            title={`Previous match (${isMac ? '⇧↩' : 'Shift+Enter'})`}
            size="small"
            disabled={!hasMatches}
            onClick={() => findPrevious(view)}
          >
            <ChevronUp />
          </IconButton>
          <IconButton
            label="Next match"
            title={`Next match (${isMac ? '↩' : 'Enter'})`}
            size="small"
            disabled={!hasMatches}
            onClick={() => findNext(view)}
          >
            <ChevronDown />
          </IconButton>
          <IconButton
            label="Add a cursor at every match"
            title={`Add a cursor at every match (${isMac ? '⌥↩' : 'Alt+Enter'})`}
            size="small"
            disabled={!hasMatches}
            onClick={selectAllMatches}
          >
            <TextCursor />
          </IconButton>
        </div>
        <IconButton label="Close" title="Close (Escape)" size="small" onClick={() => closeSearchPanel(view)}>
          <X />
        </IconButton>
      </div>
      {canReplace && hasReplace && (
        <div className="mt-1 flex flex-wrap items-center gap-1 pl-9 pointer-coarse:pl-12 @max-md:pl-0">
          <Field>
            <input
              ref={replaceField}
              type="text"
              placeholder="Replace with"
              aria-label="Replace"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={options.replace}
              onChange={(event) => change({ replace: event.target.value })}
              className={inputClass}
            />
          </Field>
          <Button
            size="small"
            aria-label="Replace this one"
            title={`Replace this one (${isMac ? '↩' : 'Enter'})`}
            disabled={!hasMatches}
            onClick={() => replaceNext(view)}
          >
            Replace
          </Button>
          <Button
            size="small"
            aria-label="Replace all of them"
            title={`Replace all of them (${isMac ? '⌘↩' : 'Ctrl+Enter'})`}
            disabled={!hasMatches}
            onClick={replaceEach}
          >
            Replace all
          </Button>
        </div>
      )}
    </search>
  );
}

const inputClass =
  'h-full min-w-0 flex-1 rounded-md bg-transparent px-2 font-mono text-[0.8125rem] text-ink outline-none pointer-coarse:text-base';

/** A field with its switches inside; the focus ring encloses both. */
function Field({ isWrong = false, children }: { isWrong?: boolean; children: ReactNode }) {
  return (
    <div
      className={cn(
        'flex h-9 min-w-36 flex-1 items-center gap-px rounded-md border bg-page pr-0.5 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-focus pointer-coarse:h-11',
        isWrong ? 'border-red' : 'border-edge',
      )}
    >
      {children}
    </div>
  );
}

interface ToggleProps {
  label: string;
  keys: string;
  isOn: boolean;
  isDisabled?: boolean;
  onToggle: () => void;
  children: ReactNode;
}

function Toggle({ label, keys, isOn, isDisabled, onToggle, children }: ToggleProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={`${label} (${keys})`}
      aria-pressed={isOn}
      disabled={isDisabled}
      // typing continues in the field
      onMouseDown={(event) => event.preventDefault()}
      onClick={onToggle}
      className="grid size-[1.625rem] shrink-0 place-items-center rounded text-graphite transition-colors duration-150 hover:bg-wash hover:text-ink disabled:text-edge disabled:hover:bg-transparent aria-pressed:bg-ink aria-pressed:text-paper pointer-coarse:h-11 pointer-coarse:w-9 [&_svg]:size-4"
    >
      {children}
    </button>
  );
}

function describeFound({ options, isValid, found }: FindPanelProps): string {
  if (options.search === '') return '';
  if (!isValid) return 'Invalid pattern';
  if (found.total === 0) return 'Nothing found';
  const many = `${found.total.toLocaleString('en-GB')}${found.hasMore ? '+' : ''}`;
  return found.current > 0 ? `${found.current} of ${many}` : `${many} found`;
}
