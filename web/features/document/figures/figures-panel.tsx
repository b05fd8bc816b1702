import { Check, CornerDownLeft, FileText, ImagePlus, Pencil, Trash2, X } from 'lucide-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import type { Figure } from '#shared/api/conversion.ts';
import { textFileEndings } from '#shared/api/library.ts';
import { cn } from '#web/ui/cn.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { Spinner } from '#web/ui/controls/loading.tsx';
import { inputClass } from '#web/ui/controls/text-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { EditorHandle } from '../editor-handle.ts';
import { checkStem, findUses, type NameProblem } from './figure-names.ts';
import { type Figures, sizeOf } from './use-figures.ts';

interface FiguresPanelProps {
  handle: EditorHandle;
  figures: Figures;
  /** Pictures to be added, and inserted at the cursor. */
  onPictures: (files: File[]) => void;
  /** Inserts a figure at the cursor. */
  onShow: (name: string) => void;
}

const nameProblems: Record<NameProblem, string> = {
  empty: 'Give it a name.',
  characters: 'Use unaccented letters, digits, dots, hyphens and underscores, with “/” after a folder.',
  taken: 'Another figure already has this name.',
};

/** The document's figures: view, add, rename, remove. */
export function FiguresPanel({ handle, figures, onPictures, onShow }: FiguresPanelProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const { files, problem } = figures;
  const handleDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    onPictures([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a target for drags; the button does the same
    <div
      className={cn('flex h-full flex-col', isOver && 'bg-wash')}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={handleDrop}
    >
      <div className="grid gap-3 p-3">
        <Button icon={<ImagePlus className="size-4" />} onClick={() => input.current?.click()}>
          Add figures
        </Button>
        <input
          ref={input}
          type="file"
          accept={['image/*', 'application/pdf', ...textFileEndings.map((one) => `.${one}`)].join(',')}
          multiple
          aria-label="Pictures to add"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            onPictures([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        {problem && (
          <Notice
            tone="error"
            title={problem}
            onDismiss={files === null ? undefined : figures.dismissProblem}
            actions={
              files === null && (
                <Button size="small" onClick={figures.fetchAgain}>
                  Try again
                </Button>
              )
            }
          />
        )}
      </div>
      {files === null && !problem && (
        <div className="grid place-items-center p-6">
          <Spinner className="size-6" />
        </div>
      )}
      {files?.length === 0 && (
        <p className="px-4 pb-4 text-center text-sm text-graphite">
          Drop pictures here or on the source, or paste them. They are inserted at the cursor. Bibliographies
          (.bib), styles and tables can be dropped here too.
        </p>
      )}
      <ul className="min-h-0 flex-1 overflow-y-auto px-3 pb-3">
        {files?.map((figure) => (
          <FigureRow
            key={figure.name}
            figure={figure}
            others={files.filter((one) => one !== figure).map(({ name }) => name)}
            handle={handle}
            figures={figures}
            onShow={onShow}
          />
        ))}
      </ul>
    </div>
  );
}

interface FigureRowProps extends Pick<FiguresPanelProps, 'handle' | 'figures' | 'onShow'> {
  figure: Figure;
  others: readonly string[];
}

function FigureRow({ figure, others, handle, figures, onShow }: FigureRowProps) {
  const { name } = figure;
  const [mode, setMode] = useState<'rest' | 'rename' | 'remove'>('rest');
  const [isBusy, setIsBusy] = useState(false);
  const isPicture = figure.media_type.startsWith('image/');
  // other files of an imported document: a style, a table, a bibliography
  const isFigure = isPicture || figure.media_type === 'application/pdf';
  const usesInText = () => findUses(handle.getText(), name);

  const handleRename = async (to: string) => {
    if (to === name) return setMode('rest');
    setIsBusy(true);
    const isDone = await figures.rename(name, to);
    setIsBusy(false);
    if (!isDone) return;
    const uses = usesInText();
    if (uses.length > 0)
      handle.replace(
        uses.map((use) => ({ ...use, insert: to })),
        `Renamed to ${to} in the text`,
      );
  };
  const handleRemove = async () => {
    setIsBusy(true);
    await figures.remove(name);
    setIsBusy(false);
  };

  return (
    <li className="grid grid-cols-[4rem_minmax(0,1fr)] items-start gap-x-3 border-t border-hairline py-3 first:border-t-0">
      <span className="grid aspect-square place-items-center overflow-hidden rounded-md border border-hairline bg-white">
        {isPicture ? (
          <img
            src={`data:${figure.media_type};base64,${figure.data_base64}`}
            alt=""
            className="max-h-full max-w-full"
          />
        ) : (
          <FileText className="size-5 text-[oklch(0.45_0.02_266)]" aria-hidden="true" />
        )}
      </span>
      {mode === 'rename' ? (
        <RenameForm
          name={name}
          others={others}
          isBusy={isBusy}
          onRename={(to) => void handleRename(to)}
          onCancel={() => setMode('rest')}
        />
      ) : mode === 'remove' ? (
        <div className="grid gap-2 text-[0.8125rem]" role="alert">
          <p>
            {usesInText().length > 0
              ? `The text uses “${name}” and does not compile without it.`
              : `Remove “${name}”?`}
          </p>
          <p className="flex gap-2">
            <Button size="small" variant="danger" isBusy={isBusy} onClick={() => void handleRemove()}>
              Remove
            </Button>
            <Button size="small" onClick={() => setMode('rest')}>
              Keep it
            </Button>
          </p>
        </div>
      ) : (
        <div className="grid gap-1">
          <p className="truncate text-[0.8125rem] font-medium" title={name}>
            {name}
          </p>
          <p className="text-xs text-graphite">{describeSize(sizeOf(figure))}</p>
          <p className="-ml-2 flex">
            {isFigure && (
              <>
                <IconButton size="small" label={`Insert ${name} into the text`} onClick={() => onShow(name)}>
                  <CornerDownLeft />
                </IconButton>
                <IconButton size="small" label={`Rename ${name}`} onClick={() => setMode('rename')}>
                  <Pencil />
                </IconButton>
              </>
            )}
            <IconButton size="small" label={`Remove ${name}`} onClick={() => setMode('remove')}>
              <Trash2 />
            </IconButton>
          </p>
        </div>
      )}
    </li>
  );
}

interface RenameFormProps {
  name: string;
  others: readonly string[];
  isBusy: boolean;
  onRename: (name: string) => void;
  onCancel: () => void;
}

function RenameForm({ name, others, isBusy, onRename, onCancel }: RenameFormProps) {
  const id = useId();
  const [stem, ending] = [name.replace(/\.[^.]*$/, ''), name.slice(name.lastIndexOf('.') + 1)];
  const [text, setText] = useState(stem);
  const problem = checkStem(text, ending, others);
  return (
    <form
      className="grid gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!problem) onRename(`${text}.${ending}`);
      }}
    >
      <label htmlFor={id} className="text-xs text-graphite">
        Name, without .{ending}
      </label>
      <input
        id={id}
        // biome-ignore lint/a11y/noAutofocus: opened by the button that it replaces
        autoFocus
        value={text}
        aria-invalid={problem !== null}
        aria-describedby={problem ? `${id}-problem` : undefined}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
        className={cn(inputClass, 'h-9 text-[0.8125rem]')}
      />
      {problem && (
        <p id={`${id}-problem`} className="text-xs text-red">
          {nameProblems[problem]}
        </p>
      )}
      <p className="flex gap-1">
        <Button
          type="submit"
          size="small"
          isBusy={isBusy}
          disabled={problem !== null}
          icon={<Check className="size-4" />}
        >
          Rename
        </Button>
        <IconButton size="small" label="Cancel" onClick={onCancel}>
          <X />
        </IconButton>
      </p>
    </form>
  );
}

function describeSize(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1_000))} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
