import { ArrowLeft, ArrowRight, Check, Sigma, Undo2, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { spellOutHidden } from '#latex/source/hidden-characters.ts';
import type { SpotOrder } from '#web/lib/doubtful-spots.ts';
import { cn } from '#web/ui/cn.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { inputClass } from '#web/ui/controls/text-field.tsx';
import { SpotReading } from './spot-reading.tsx';
import { kindOf, toReading } from './typed-reading.ts';
import { progressOf, type SpotsToCheck } from './use-spots.ts';

interface SpotCardProps {
  check: SpotsToCheck;
  /** The ink that the spot was read from (`SpotInk`). */
  ink: ReactNode;
  /** Opens the visual editor of formulas; absent if the spot is in none. */
  onEditFormula?: (() => void) | undefined;
  /** Gives the focus back to the source. */
  onLeave: () => void;
}

/** One doubtful spot: its ink, its reading, the alternatives, and a field for the correct text. */
export function SpotCard({ check, ink, onEditFormula, onLeave }: SpotCardProps) {
  const { current, reading, isMaths, isReadOnly, wantsFocus } = check;
  const card = useRef<HTMLFieldSetElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const ids = useId();
  const id = current?.id;

  useEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    card.current?.focus();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed was for the spot before
  useEffect(() => {
    setTyped('');
    setProblem(null);
    // the card's keys still work: its field is empty again, and a button of the last spot no longer exists
    if (card.current?.contains(document.activeElement)) card.current.focus();
  }, [id]);

  if (!current) return null;
  const kind = kindOf(reading, isMaths);
  const typedReading = typed.trim() === '' ? null : toReading(typed, reading, kind);
  const others = current.alternatives.filter((other) => other !== reading);
  const readings = [reading, ...(isReadOnly ? [] : others)];

  const take = (latex: string | null) => {
    check.decide(latex);
    if (check.spots.length === 1) onLeave();
  };
  const takeTyped = () => {
    if (typed.trim() === '') return take(null);
    if (typedReading === null) return setProblem('A brace or a formula is not closed.');
    take(typedReading);
  };
  const leave = () => {
    check.close();
    onLeave();
  };
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.nativeEvent.isComposing) return;
    const target = event.target as HTMLElement;
    const isTyping = target === field.current;
    const act = keyOf(event, { isTyping, isOnButton: target.closest('button') !== null });
    if (act === null) return;
    // the character goes where the focus is by then
    if (act === 'type' || (typeof act === 'number' && act > readings.length)) return field.current?.focus();
    event.preventDefault();
    event.stopPropagation();
    if (act === 'accept') takeTyped();
    else if (act === 'leave') {
      if (!isTyping) return leave();
      setTyped('');
      setProblem(null);
      card.current?.focus();
    } else if (act === 'undo') check.undo?.();
    else if (act === 'back') check.go(-1);
    else if (act === 'on') check.go(1);
    else if (act === 'field') field.current?.focus();
    else take(act === 1 ? null : readings[act - 1]!);
  };

  return (
    <fieldset
      ref={card}
      aria-label="Doubtful spot"
      aria-describedby={`${ids}-keys`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys work while it has the focus
      tabIndex={0}
      onKeyDown={handleKey}
      className="group/card @container flex min-h-0 flex-col gap-2.5 overflow-y-auto px-3 pt-2 pb-3 outline-none focus-visible:inset-ring-1 focus-visible:inset-ring-ink max-sm:focus-visible:rounded-t-2xl"
    >
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1 truncate text-graphite">
          <span className="font-medium text-ink tabular-nums">{progressOf(check)}</span>
          {` · page ${current.page} · ${current.reason ?? 'The reader was unsure of this.'}`}
        </p>
        {check.undo && (
          <IconButton label="Undo (Backspace)" size="small" onClick={check.undo}>
            <Undo2 />
          </IconButton>
        )}
        <IconButton label="Previous spot (Shift+F8)" size="small" onClick={() => check.go(-1)}>
          <ArrowLeft />
        </IconButton>
        <IconButton label="Next spot (F8)" size="small" onClick={() => check.go(1)}>
          <ArrowRight />
        </IconButton>
        <IconButton label="Close (Esc)" size="small" onClick={leave}>
          <X />
        </IconButton>
      </div>
      {/* next to a short piece of ink, below a long one */}
      <div className="flex flex-wrap items-start gap-2.5">
        <div className="max-w-full empty:hidden">{ink}</div>
        <ul aria-label="Readings" className="flex min-w-0 flex-1 basis-72 flex-wrap gap-2">
          {readings.map((latex, at) => (
            <li key={latex} className="max-w-full min-w-0">
              <button
                type="button"
                aria-label={`${at + 1}${at === 0 ? ', as it reads' : ''}: ${spellOutHidden(latex)}`}
                title={at === 0 ? 'Right as it is' : undefined}
                onClick={() => take(at === 0 ? null : latex)}
                className={cn(
                  'flex min-h-11 max-w-full min-w-11 items-center gap-2.5 rounded-lg border px-3 text-left transition-colors duration-150 hover:bg-wash',
                  at === 0 ? 'border-ink bg-page text-xl' : 'border-edge bg-page text-lg',
                )}
              >
                <kbd className="shrink-0 font-sans text-xs text-graphite">{at + 1}</kbd>
                <span className="min-w-0 overflow-x-auto overflow-y-hidden py-1.5">
                  <SpotReading latex={latex} isMaths={isMaths} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-36 flex-1 basis-36">
          <input
            ref={field}
            value={typed}
            readOnly={isReadOnly}
            onChange={(event) => {
              setTyped(event.target.value);
              setProblem(null);
            }}
            aria-label="Type what it says"
            placeholder="Type what it says"
            aria-invalid={problem ? true : undefined}
            aria-describedby={`${ids}-problem`}
            autoCapitalize="off"
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="next"
            className={cn(inputClass, 'bg-page')}
          />
        </div>
        <Button
          variant="primary"
          icon={<Check className="size-4" />}
          className="min-h-11"
          onClick={takeTyped}
        >
          {typed.trim() === '' ? 'Looks right' : 'Replace'}
        </Button>
        {onEditFormula && (
          <IconButton label="Edit formula" className="size-11" onClick={onEditFormula}>
            <Sigma />
          </IconButton>
        )}
      </div>
      {typedReading !== null && (
        <p className="flex items-baseline gap-2 text-graphite">
          <span className="shrink-0">Becomes</span>
          <span className="min-w-0 overflow-x-auto text-lg text-ink">
            <SpotReading latex={typedReading} isMaths={isMaths} />
          </span>
        </p>
      )}
      <p id={`${ids}-problem`} aria-live="polite" className="text-red empty:hidden">
        {problem}
      </p>
      <div className="flex items-center gap-3">
        <p
          id={`${ids}-keys`}
          className="min-w-0 flex-1 text-xs text-balance text-graphite max-sm:sr-only pointer-coarse:sr-only"
        >
          {readings.length > 1 ? `1–${readings.length} chooses a reading, typing` : 'Typing'} replaces it (F2
          for a digit). Enter continues, Backspace undoes.
        </p>
        <OrderSwitch order={check.order} onChange={check.setOrder} />
      </div>
    </fieldset>
  );
}

const orders: readonly (readonly [SpotOrder, string])[] = [
  ['document', 'In order'],
  ['least-sure', 'Least certain first'],
];

function OrderSwitch({ order, onChange }: { order: SpotOrder; onChange: (order: SpotOrder) => void }) {
  return (
    <fieldset aria-label="Order" className="flex shrink-0 rounded-lg bg-paper-deep p-0.5">
      {orders.map(([name, label]) => (
        <button
          key={name}
          type="button"
          aria-pressed={order === name}
          onClick={() => onChange(name)}
          className="min-h-7 rounded-md px-2 text-xs whitespace-nowrap text-graphite transition-colors duration-150 hover:text-ink aria-pressed:bg-page aria-pressed:text-ink aria-pressed:shadow-sm pointer-coarse:min-h-11"
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

type Act = 'accept' | 'field' | 'back' | 'on' | 'leave' | 'undo' | 'type' | number | null;

/** What a key does; null leaves it to the browser. Digits are choices until somebody types. */
function keyOf(
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent,
  { isTyping, isOnButton }: { isTyping: boolean; isOnButton: boolean },
): Act {
  if (key === 'Escape') return 'leave';
  if (key === 'F8' && !ctrlKey && !metaKey) return shiftKey ? 'back' : 'on';
  if (key === 'Enter' && shiftKey) return 'back';
  if (key === 'Enter') return isOnButton ? null : 'accept';
  if (isTyping) return null;
  if (key === 'F2') return 'field';
  if (key === 'Backspace' || (key === 'z' && (ctrlKey || metaKey))) return 'undo';
  if (ctrlKey || metaKey || altKey) return null;
  if (key === 'ArrowLeft') return 'back';
  if (key === 'ArrowRight') return 'on';
  if (/^[1-5]$/.test(key)) return Number(key);
  return [...key].length === 1 && !(isOnButton && key === ' ') ? 'type' : null;
}
