import {
  ChevronDown,
  Ellipsis,
  FilePlus2,
  FileText,
  FolderClosed,
  FolderOpen,
  Image,
  Upload,
} from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { textFileEndings } from '#shared/api/library.ts';
import { cn } from '#web/ui/cn.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { Menu, MenuItem } from '#web/ui/controls/menu.tsx';
import { inputClass } from '#web/ui/controls/text-field.tsx';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { isTextFile } from '../figures/figure-names.ts';
import { checkFileName, listRows, type TreeRow } from './file-paths.ts';

export interface FileTreeProps {
  /** The name shown for the document's own text. */
  mainName: string;
  names: readonly string[];
  /** Opens with the form for a new file. */
  isForNew: boolean;
  /** The shown file; null for the document's own text. */
  current: string | null;
  onOpen: (name: string | null) => void;
  /** Shows a picture among the document's figures. */
  onShowFigure: () => void;
  onUpload: (files: File[]) => void;
  /** @returns whether it exists now */
  onCreate: (name: string) => Promise<boolean>;
  onRename: (from: string, to: string) => Promise<boolean>;
  onRemove: (name: string) => Promise<boolean>;
  onShowHistory: (name: string) => void;
}

type Editing = { kind: 'new' } | { kind: 'rename'; name: string } | null;

/**
 * The document's files, next to its source or, if there is little room, above it, folded to the name of the
 * shown one.
 */
export function FileTree(props: FileTreeProps) {
  const { mainName, names, current, onOpen } = props;
  const [isUnfolded, setIsUnfolded] = useState(props.isForNew);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [editing, setEditing] = useState<Editing>(props.isForNew ? { kind: 'new' } : null);
  const [removing, setRemoving] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const rows = listRows(names).filter(
    ({ path }) => ![...closed].some((folder) => path.startsWith(`${folder}/`)),
  );
  const open = (name: string | null) => {
    onOpen(name);
    setIsUnfolded(false);
  };
  const handleKey = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>('button[data-row]') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (next === undefined || at < 0) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(next, buttons.length - 1))]?.focus();
  };
  const toggle = (folder: string) =>
    setClosed((before) => {
      const next = new Set(before);
      if (!next.delete(folder)) next.add(folder);
      return next;
    });

  return (
    <nav
      aria-label="Files"
      className="flex max-h-[45%] shrink-0 flex-col border-b border-hairline bg-paper @xl:max-h-none @xl:w-48 @xl:border-r @xl:border-b-0"
    >
      <div className="flex min-h-11 shrink-0 items-center gap-0.5 pr-1 pl-3 pointer-coarse:min-h-12 @xl:border-b @xl:border-hairline">
        <button
          type="button"
          aria-expanded={isUnfolded}
          onClick={() => setIsUnfolded(!isUnfolded)}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-1.5 text-left text-[0.8125rem] font-medium pointer-coarse:min-h-11 @xl:hidden"
        >
          <FileText className="size-4 shrink-0 text-graphite" aria-hidden="true" />
          <span className="truncate">{current ?? mainName}</span>
          <ChevronDown
            className={cn('size-3.5 shrink-0 text-graphite transition-transform', isUnfolded && 'rotate-180')}
            aria-hidden="true"
          />
        </button>
        <span className="hidden flex-1 text-xs text-graphite @xl:inline">Files</span>
        <IconButton
          size="small"
          label="New file"
          onClick={() => {
            setIsUnfolded(true);
            setEditing({ kind: 'new' });
          }}
        >
          <FilePlus2 />
        </IconButton>
        <IconButton size="small" label="Upload files" onClick={() => input.current?.click()}>
          <Upload />
        </IconButton>
        <input
          ref={input}
          type="file"
          multiple
          aria-label="Files to add"
          accept={['image/*', 'application/pdf', ...textFileEndings.map((one) => `.${one}`)].join(',')}
          hidden
          onChange={(event) => {
            props.onUpload([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
      </div>
      <ul
        ref={list}
        onKeyDown={handleKey}
        className={cn(
          'min-h-0 flex-1 overflow-y-auto px-1.5 py-1.5 @xl:block',
          isUnfolded ? 'border-t border-hairline @xl:border-t-0' : 'hidden',
        )}
      >
        {editing?.kind === 'new' && (
          <li>
            <NameForm
              label="Name of the new file"
              given={current?.includes('/') ? current.slice(0, current.lastIndexOf('/') + 1) : ''}
              action="Create"
              others={names}
              onName={async (name) => {
                if (await props.onCreate(name)) setEditing(null);
              }}
              onCancel={() => setEditing(null)}
            />
          </li>
        )}
        <li>
          <RowButton isCurrent={current === null} depth={0} onClick={() => open(null)}>
            <FileText aria-hidden="true" />
            <span className="truncate">{mainName}</span>
          </RowButton>
        </li>
        {rows.map((row) =>
          editing?.kind === 'rename' && editing.name === row.path ? (
            <li key={row.path}>
              <NameForm
                label={`New name of ${row.path}`}
                given={row.path}
                action="Rename"
                others={names.filter((name) => name !== row.path)}
                onName={async (name) => {
                  if (name === row.path || (await props.onRename(row.path, name))) setEditing(null);
                }}
                onCancel={() => setEditing(null)}
              />
            </li>
          ) : (
            <li key={row.path} className="group relative">
              <Row
                row={row}
                isCurrent={row.path === current}
                isClosed={closed.has(row.path)}
                onClick={() => {
                  if (row.kind === 'folder') toggle(row.path);
                  else if (isTextFile(row.path)) open(row.path);
                  else props.onShowFigure();
                }}
              />
              {row.kind === 'file' && (
                <span className="absolute inset-y-0 right-0 flex items-center opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-[[data-state=open]]:opacity-100 pointer-coarse:opacity-100">
                  <Menu
                    align="start"
                    trigger={
                      <IconButton size="small" label={`Actions for ${row.path}`}>
                        <Ellipsis />
                      </IconButton>
                    }
                  >
                    {isTextFile(row.path) && (
                      <>
                        <MenuItem onSelect={() => setEditing({ kind: 'rename', name: row.path })}>
                          Rename or move
                        </MenuItem>
                        <MenuItem onSelect={() => props.onShowHistory(row.path)}>Earlier versions</MenuItem>
                      </>
                    )}
                    <MenuItem onSelect={() => setRemoving(row.path)}>Remove</MenuItem>
                  </Menu>
                </span>
              )}
            </li>
          ),
        )}
      </ul>
      <ConfirmDialog
        isOpen={removing !== null}
        title={`Remove ${removing ?? 'the file'}?`}
        text="It is deleted for good. Text that refers to it will no longer compile."
        confirmLabel="Remove"
        cancelLabel="Keep it"
        onConfirm={() => {
          if (removing !== null) void props.onRemove(removing);
          setRemoving(null);
        }}
        onClose={() => setRemoving(null)}
      />
    </nav>
  );
}

interface RowProps {
  row: TreeRow;
  isCurrent: boolean;
  isClosed: boolean;
  onClick: () => void;
}

function Row({ row, isCurrent, isClosed, onClick }: RowProps) {
  const { kind, path, label, depth } = row;
  const Icon =
    kind === 'folder' ? (isClosed ? FolderClosed : FolderOpen) : isTextFile(path) ? FileText : Image;
  return (
    <RowButton
      isCurrent={isCurrent}
      isExpanded={kind === 'folder' ? !isClosed : undefined}
      depth={depth}
      folder={path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : undefined}
      onClick={onClick}
    >
      <Icon aria-hidden="true" />
      <span className="truncate" title={path}>
        {label}
      </span>
    </RowButton>
  );
}

interface RowButtonProps {
  isCurrent: boolean;
  isExpanded?: boolean;
  depth: number;
  /** The information that the indentation shows. */
  folder?: string | undefined;
  onClick: () => void;
  children: ReactNode;
}

function RowButton({ isCurrent, isExpanded, depth, folder, onClick, children }: RowButtonProps) {
  return (
    <button
      type="button"
      data-row=""
      aria-current={isCurrent || undefined}
      aria-expanded={isExpanded}
      aria-description={folder && `in ${folder}`}
      onClick={onClick}
      style={{ paddingLeft: `${0.5 + 0.875 * depth}rem` }}
      className="flex min-h-8 w-full items-center gap-2 rounded-md pr-8 text-left text-[0.8125rem] hover:bg-wash aria-[current]:bg-wash aria-[current]:font-medium pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-graphite"
    >
      {children}
    </button>
  );
}

interface NameFormProps {
  label: string;
  given: string;
  action: string;
  others: readonly string[];
  onName: (name: string) => Promise<void>;
  onCancel: () => void;
}

function NameForm({ label, given, action, others, onName, onCancel }: NameFormProps) {
  const id = useId();
  const [name, setName] = useState(given);
  const [isBusy, setIsBusy] = useState(false);
  const [wasSent, setWasSent] = useState(false);
  const problem = name === given && name !== '' && !name.endsWith('/') ? null : checkFileName(name, others);
  return (
    <form
      className="grid gap-2 p-1.5"
      onSubmit={async (event) => {
        event.preventDefault();
        setWasSent(true);
        if (problem) return;
        setIsBusy(true);
        await onName(name);
        setIsBusy(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <input
        id={id}
        // biome-ignore lint/a11y/noAutofocus: opened by the button that it follows
        autoFocus
        value={name}
        placeholder="chapters/one.tex"
        spellCheck={false}
        autoCapitalize="none"
        aria-invalid={wasSent && problem !== null}
        aria-describedby={wasSent && problem ? `${id}-problem` : undefined}
        onChange={(event) => setName(event.target.value)}
        className={cn(inputClass, 'h-9 text-[0.8125rem]')}
      />
      {wasSent && problem && (
        <p id={`${id}-problem`} className="text-xs text-red">
          {problem}
        </p>
      )}
      <p className="flex gap-1.5">
        <Button type="submit" size="small" variant="primary" isBusy={isBusy}>
          {action}
        </Button>
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
      </p>
    </form>
  );
}
