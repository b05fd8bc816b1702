import { Plus, X } from 'lucide-react';
import { lazy, Suspense, useId } from 'react';
import type { PersonalPreamble } from '#shared/api/exchange.ts';
import { personalPreambleLimits } from '#shared/api/limits.ts';
import { retryImport } from '../../../../lib/retry-import.ts';
import { cn } from '../../../../ui/cn.ts';
import { Button, IconButton } from '../../../../ui/controls/button.tsx';
import { inputClass } from '../../../../ui/controls/text-field.tsx';

type Notation = PersonalPreamble['notation'][number];

/** A symbol while it is edited. */
export interface NotationRow extends Notation {
  /** Identifies the row, whatever is typed in it. */
  key: string;
}

const NotationSample = lazy(async () => ({
  default: (await retryImport(() => import('./notation-sample.tsx'))).NotationSample,
}));

export function toRows(notation: readonly Notation[]): NotationRow[] {
  return notation.map((one) => ({ ...one, key: crypto.randomUUID() }));
}

/** The rows to save, without empty ones. */
export function toNotation(rows: readonly NotationRow[]): Notation[] {
  return rows
    .map(({ command, latex, meaning }) => ({
      command: command.trim(),
      latex: latex.trim(),
      meaning: meaning.trim(),
    }))
    .filter(({ command, latex, meaning }) => command !== '' || latex !== '' || meaning !== '');
}

interface NotationListProps {
  rows: readonly NotationRow[];
  /** The symbols that do not compile, by 1-based position. */
  faults: readonly { place: number; message: string }[];
  onChange: (rows: readonly NotationRow[]) => void;
}

/** The user's symbols: what they write, the command for it, and what it means. */
export function NotationList({ rows, faults, onChange }: NotationListProps) {
  const put = (key: string, change: Partial<Notation>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
  const hasRoom = rows.length < personalPreambleLimits.notation;
  return (
    <div>
      <h3 className="text-sm font-medium">Notation</h3>
      <p className="mt-0.5 mb-3 text-[0.8125rem] text-graphite">
        Your symbols, as commands. The meaning tells the reader what to look for in your handwriting.
      </p>
      {rows.length > 0 && (
        <ul className="mb-3 grid gap-3">
          {rows.map((row, index) => (
            <li key={row.key}>
              <Row
                row={row}
                fault={faults.find(({ place }) => place === index + 1)?.message ?? null}
                onChange={(change) => put(row.key, change)}
                onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
              />
            </li>
          ))}
        </ul>
      )}
      {hasRoom && (
        <Button
          size="small"
          icon={<Plus className="size-4" />}
          onClick={() => onChange([...rows, ...toRows([{ command: '', latex: '', meaning: '' }])])}
        >
          Add a symbol
        </Button>
      )}
    </div>
  );
}

interface RowProps {
  row: NotationRow;
  fault: string | null;
  onChange: (change: Partial<Notation>) => void;
  onRemove: () => void;
}

function Row({ row, fault, onChange, onRemove }: RowProps) {
  const id = useId();
  const name = row.command || 'this symbol';
  const field = (part: keyof Notation, label: string, example: string, isSource: boolean) => (
    <label className="grid min-w-0 gap-1">
      <span className="text-xs text-graphite">{label}</span>
      <input
        value={row[part]}
        placeholder={example}
        maxLength={personalPreambleLimits[part]}
        spellCheck={!isSource}
        autoCapitalize={isSource ? 'none' : undefined}
        autoComplete="off"
        aria-invalid={fault !== null || undefined}
        aria-describedby={fault === null ? undefined : id}
        onChange={(event) => onChange({ [part]: event.target.value })}
        className={cn(inputClass, 'h-10', isSource && 'font-mono text-[0.8125rem]')}
      />
    </label>
  );
  return (
    <fieldset className="grid grid-cols-[6.5rem_minmax(0,1fr)_2.5rem] items-end gap-2 sm:grid-cols-[6.5rem_minmax(0,1fr)_minmax(0,1.2fr)_3.5rem_2.5rem]">
      <legend className="sr-only">{row.command || 'New symbol'}</legend>
      {field('command', 'You write', '\\R', true)}
      {field('latex', 'It stands for', '\\mathbb{R}', true)}
      <IconButton label={`Remove ${name}`} onClick={onRemove} className="sm:order-last">
        <X />
      </IconButton>
      <div className="max-sm:col-span-2">{field('meaning', 'In words', 'the real numbers', false)}</div>
      <div className="grid h-10 min-w-0 place-items-center overflow-hidden" aria-hidden="true">
        <Suspense>
          <NotationSample latex={row.latex} />
        </Suspense>
      </div>
      {fault !== null && (
        <p id={id} role="alert" className="col-span-full text-[0.8125rem] break-words text-red">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
