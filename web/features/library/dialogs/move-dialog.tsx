import { Files, Folder as FolderIcon, FolderPlus } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cn } from '#web/ui/cn.ts';
import { inputClass } from '#web/ui/controls/text-field.tsx';
import { Dialog } from '#web/ui/dialogs/dialog.tsx';
import {
  buildTree,
  describeItems,
  type FolderNode,
  type Items,
  type Library,
  listPath,
  refuseMove,
} from '../library-state.ts';
import { useLibrary } from '../use-library.tsx';

interface Choice {
  key: string;
  label: string;
  /** The path of parent folders, shown during a search. */
  above: string;
  /** Levels of indentation. */
  depth: number;
  icon: ReactNode;
  /** Why it cannot be chosen. */
  refusal: string | null;
  target: { kind: 'folder'; id: string | null } | { kind: 'new'; name: string };
}

/** Moves items by keyboard or touch: the folder tree, filtered by what is typed. */
export function MoveDialog({ items, onClose }: { items: Items; onClose: () => void }) {
  const { library, actions } = useLibrary();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const [error, setError] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const choices = library ? listChoices(library, items, query) : [];
  const chosen = choices[at];
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  if (!library) return null;

  const move = async (choice: Choice | undefined) => {
    if (!choice || choice.refusal !== null) return;
    if (choice.target.kind === 'folder') {
      onClose();
      return void actions.move(items, choice.target.id);
    }
    const made = await actions.createFolder(choice.target.name, null);
    if (!made.ok) return setError(made.text);
    onClose();
    void actions.move(items, made.id);
  };
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && choices.length > 0) {
      event.preventDefault();
      setAt((at + step + choices.length) % choices.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      void move(chosen);
    }
  };

  return (
    <Dialog isOpen title={`Move ${describeItems(library, items)}`} onClose={onClose}>
      <input
        data-first-focus
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={chosen ? `${id}-${at}` : undefined}
        aria-label="Find a folder"
        placeholder="Find a folder, or name a new one"
        autoComplete="off"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
          setError(null);
        }}
        onKeyDown={handleKey}
        className={inputClass}
      />
      <p role="alert" className="text-[0.8125rem] text-red">
        {error}
      </p>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label="Folders"
        className="mt-3 -mx-2 max-h-[min(22rem,50dvh)] overflow-y-auto"
      >
        {choices.map((choice, index) => (
          <div
            key={choice.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            aria-disabled={choice.refusal !== null}
            title={choice.refusal ?? undefined}
            onPointerMove={() => setAt(index)}
            onClick={() => void move(choice)}
            onKeyDown={handleKey}
            style={{ paddingLeft: `${0.5 + choice.depth * 1.125}rem` }}
            className={cn(
              'flex min-h-9 items-center gap-2 rounded-md pr-2 text-sm pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0',
              index === at && 'bg-wash',
              choice.refusal === null ? 'cursor-pointer' : 'text-graphite',
            )}
          >
            {choice.icon}
            <span className="truncate">{choice.label}</span>
            {choice.refusal !== null ? (
              <span className="ml-auto shrink-0 text-xs text-graphite">{choice.refusal}</span>
            ) : (
              choice.above && (
                <span className="ml-auto min-w-0 truncate text-xs text-graphite">{choice.above}</span>
              )
            )}
          </div>
        ))}
      </div>
    </Dialog>
  );
}

function listChoices(library: Library, items: Items, query: string): Choice[] {
  const wanted = fold(query.trim());
  const choices: Choice[] = [];
  if (wanted === '' || 'no folder'.includes(wanted))
    choices.push({
      key: 'top',
      label: 'No folder',
      above: '',
      depth: 0,
      icon: <Files />,
      refusal: refuseMove(library.folders, items.folderIds, null),
      target: { kind: 'folder', id: null },
    });
  const add = (nodes: readonly FolderNode[]) => {
    for (const { folder, depth, children } of nodes) {
      if (fold(folder.name).includes(wanted)) {
        const isIn = (id: string, list: readonly { id: string; at: string | null }[]) =>
          list.some((one) => one.id === id && one.at === folder.id);
        const all = [
          ...library.documents.map((document) => ({ id: document.id, at: document.folder_id })),
          ...library.folders.map((one) => ({ id: one.id, at: one.parent_id })),
        ];
        const ids = [...items.documentIds, ...items.folderIds];
        const isThere = ids.every((id) => isIn(id, all));
        choices.push({
          key: folder.id,
          label: folder.name,
          above:
            wanted === ''
              ? ''
              : listPath(library.folders, folder.parent_id)
                  .map(({ name }) => name)
                  .join(' / '),
          depth: wanted === '' ? depth - 1 : 0,
          icon: <FolderIcon />,
          refusal: isThere
            ? 'Already there'
            : shorten(refuseMove(library.folders, items.folderIds, folder.id)),
          target: { kind: 'folder', id: folder.id },
        });
      }
      add(children);
    }
  };
  add(buildTree(library));
  const name = query.trim();
  if (name !== '' && !library.folders.some((folder) => fold(folder.name) === wanted))
    choices.push({
      key: 'new',
      label: `New folder “${name}”`,
      above: '',
      depth: 0,
      icon: <FolderPlus />,
      refusal: null,
      target: { kind: 'new', name },
    });
  return choices;
}

/** Shortens a refusal to the room in a row. */
function shorten(refusal: string | null): string | null {
  return refusal === null ? null : refusal.startsWith('A folder') ? 'Inside itself' : 'Too deep';
}

/** Strips accents and capitals for the search. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
