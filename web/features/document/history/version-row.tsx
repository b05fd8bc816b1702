import { ChevronDown, History, PencilLine, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { VersionSummary } from '#shared/api/library.ts';
import { maxTitleLength } from '#shared/api/library.ts';
import { cn } from '#web/ui/cn.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { inputClass } from '#web/ui/controls/text-field.tsx';
import { describeCause, describeTime, type HistoryLine } from './group-versions.ts';

interface RowActions {
  /** The newest version. */
  present: number;
  /** A restore is in progress: no other can start. */
  isBusy: boolean;
  onCompare: (version: VersionSummary) => void;
  onRestore: (version: VersionSummary) => void;
  /** @returns an error message, or null */
  onName: (version: VersionSummary, name: string | null) => Promise<string | null>;
}

/** A row of the history, with the grouped saves behind a button. */
export function HistoryLineRow({ line, ...actions }: RowActions & { line: HistoryLine }) {
  const [isOpen, setIsOpen] = useState(false);
  const { version, earlier, growth } = line;
  return (
    <li>
      <VersionRow version={version} growth={growth} {...actions} />
      {earlier.length > 0 && (
        <>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
            className="ml-[3.75rem] flex min-h-8 items-center gap-1 rounded px-1 text-xs text-graphite hover:text-ink pointer-coarse:min-h-11"
          >
            <ChevronDown
              aria-hidden="true"
              className={cn('size-3.5 transition-transform duration-150', isOpen && 'rotate-180')}
            />
            {earlier.length === 1 ? '1 earlier save' : `${earlier.length} earlier saves`}
          </button>
          {isOpen && (
            <ol className="ml-3 border-l border-hairline">
              {earlier.map((one) => (
                <li key={one.version}>
                  <VersionRow version={one} growth={null} {...actions} />
                </li>
              ))}
            </ol>
          )}
        </>
      )}
    </li>
  );
}

type VersionRowProps = RowActions & { version: VersionSummary; growth: number | null };

function VersionRow({ version, growth, present, isBusy, onCompare, onRestore, onName }: VersionRowProps) {
  const [isNaming, setIsNaming] = useState(false);
  const isPresent = version.version === present;
  const time = describeTime(version.created_at);
  const cause = describeCause(version);
  // part of each button's label, because a history has many of them
  const what = `${time}, ${version.name ?? cause.toLowerCase()}`;
  if (isNaming)
    return (
      <NameForm
        name={version.name}
        what={what}
        onClose={() => setIsNaming(false)}
        onName={(name) => onName(version, name)}
      />
    );
  return (
    <div className="group flex items-start gap-0.5 px-2">
      <button
        type="button"
        aria-label={isPresent ? `${what}, current version: show its changes` : `${what}: compare with now`}
        onClick={() => onCompare(version)}
        className="flex min-w-0 flex-1 gap-3 rounded-lg px-2 py-2 text-left transition-colors duration-150 hover:bg-wash"
      >
        <time
          dateTime={version.created_at}
          className="w-9 shrink-0 text-[0.8125rem] text-graphite tabular-nums"
        >
          {time}
        </time>
        <span className="min-w-0 flex-1">
          {version.name !== null && (
            <span className="block text-[0.8125rem] font-medium break-words">{version.name}</span>
          )}
          <span className={cn('block text-[0.8125rem]', version.name !== null && 'text-graphite')}>
            {cause}
          </span>
          {(isPresent || growth !== null) && (
            <span className="block text-xs text-graphite tabular-nums">
              {[isPresent && 'Now', growth !== null && describeGrowth(growth)].filter(Boolean).join(' · ')}
            </span>
          )}
        </span>
      </button>
      <IconButton
        size="small"
        label={version.name === null ? `Name the version of ${what}` : `Rename the version of ${what}`}
        onClick={() => setIsNaming(true)}
      >
        <PencilLine />
      </IconButton>
      {isPresent ? (
        <span aria-hidden="true" className="size-8 shrink-0 pointer-coarse:size-11" />
      ) : (
        <IconButton
          size="small"
          label={`Restore the version of ${what}`}
          disabled={isBusy}
          onClick={() => onRestore(version)}
        >
          <Undo2 />
        </IconButton>
      )}
    </div>
  );
}

interface NameFormProps {
  name: string | null;
  what: string;
  onName: (name: string | null) => Promise<string | null>;
  onClose: () => void;
}

function NameForm({ name, what, onName, onClose }: NameFormProps) {
  const [value, setValue] = useState(name ?? '');
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async () => {
    setIsBusy(true);
    const problem = await onName(value.trim() === '' ? null : value.trim());
    setIsBusy(false);
    if (problem === null) onClose();
    else setError(problem);
  };
  return (
    <form
      className="mx-2 my-1 grid gap-2 rounded-lg border border-hairline bg-page p-3"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // otherwise the drawer would close
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <label className="grid gap-1.5 text-xs text-graphite">
        Name of the version of {what}
        <input
          // biome-ignore lint/a11y/noAutofocus: the user has just asked to edit it
          autoFocus
          className={inputClass}
          value={value}
          maxLength={maxTitleLength}
          placeholder="Before the exam"
          onChange={(event) => setValue(event.target.value)}
        />
      </label>
      <p aria-live="polite" className={cn('text-xs text-red', error === null && 'sr-only')}>
        {error}
      </p>
      <div className="flex gap-2">
        <Button size="small" variant="primary" type="submit" isBusy={isBusy}>
          Save name
        </Button>
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Shown if a history has only one version. */
export function NothingYet() {
  return (
    <div className="grid justify-items-start gap-2 px-4 py-6 text-[0.8125rem] text-graphite">
      <History className="size-5" aria-hidden="true" />
      <p>
        Every save is kept here. Once you have made changes, you can look at earlier versions and restore
        them.
      </p>
    </div>
  );
}

function describeGrowth(growth: number): string {
  const count = Math.abs(growth).toLocaleString('en-GB');
  if (growth === 0) return 'same length';
  return `${growth > 0 ? '+' : '−'}${count} ${count === '1' ? 'character' : 'characters'}`;
}
