import { Search, Sigma, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { maxFormulaLength, maxQueryLength } from '#shared/api/search.ts';
import { retryImport } from '#web/lib/retry-import.ts';
import { cn } from '#web/ui/cn.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { isTyping } from '../toast-bar.tsx';
import { readSearch, writeSearch } from './search-address.ts';
import { focusResult } from './walk-results.ts';

const Formula = lazy(async () => ({ default: (await retryImport(() => import('./formula.tsx'))).Formula }));
const SymbolPalette = lazy(async () => ({
  default: (await retryImport(() => import('#web/ui/source-editor/panels/symbol-palette.tsx'))).SymbolPalette,
}));

/** The pause in typing before a search, in ms. */
const pauseMs = 120;

/** Searches for words or a formula as they are typed. Ctrl/Cmd+K and `/` focus it. */
export function SearchBar() {
  const [query, setQuery] = useSearchParams();
  const search = readSearch(query);
  const inAddress = search.formula ?? search.words;
  const [isFormula, setIsFormula] = useState(search.formula !== null);
  const [text, setText] = useState(inAddress);
  const [isPaletteOpen, setIsPaletteOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

  /** Texts on their way to the address. One that arrives late must not undo what has been typed since. */
  const underway = useRef<string[]>([]);
  const arrived = useRef(inAddress);
  const lastWritten = () => underway.current.at(-1) ?? arrived.current;
  // an address changed otherwise (back, a link) sets the query
  useEffect(() => {
    if (inAddress === arrived.current) return;
    arrived.current = inAddress;
    const at = underway.current.indexOf(inAddress);
    underway.current.splice(0, at < 0 ? underway.current.length : at + 1);
    if (at >= 0) return;
    setText(inAddress);
    if (inAddress !== '') setIsFormula(search.formula !== null);
  }, [inAddress, search.formula]);

  const write = (nextText: string, nextIsFormula: boolean) => {
    if (nextText !== lastWritten()) underway.current.push(nextText);
    setQuery(
      (known) =>
        writeSearch(known, {
          ...readSearch(known),
          words: nextIsFormula ? '' : nextText,
          formula: nextIsFormula && nextText !== '' ? nextText : null,
        }),
      { replace: inAddress !== '', preventScrollReset: true },
    );
  };
  const latest = useRef({ write, lastWritten });
  latest.current = { write, lastWritten };
  useEffect(() => {
    if (text === latest.current.lastWritten()) return;
    const timer = setTimeout(() => latest.current.write(text, isFormula), pauseMs);
    return () => clearTimeout(timer);
  }, [text, isFormula]);

  useEffect(() => {
    const handle = (event: globalThis.KeyboardEvent) => {
      const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      const isSlash = event.key === '/' && !isTyping(event.target) && !event.ctrlKey && !event.metaKey;
      if ((!isCommand && !isSlash) || document.querySelector('[role=dialog],[role=alertdialog]')) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener('keydown', handle);
    return () => removeEventListener('keydown', handle);
  }, []);

  const switchTo = (nextIsFormula: boolean) => {
    setIsFormula(nextIsFormula);
    // text that is already there is searched in the other mode
    if (text !== '') write(text, nextIsFormula);
    field.current?.focus();
  };
  const clear = () => {
    setText('');
    write('', isFormula);
    field.current?.focus();
  };
  const insert = (tex: string) => {
    const input = field.current;
    if (!input) return;
    const [from, to] = [input.selectionStart ?? text.length, input.selectionEnd ?? text.length];
    // a command must not join with the letter after it
    const gap = /^[a-z]/i.test(text.slice(to)) && /[a-z]$/i.test(tex) ? ' ' : '';
    setText(text.slice(0, from) + tex + gap + text.slice(to));
    setIsPaletteOpen(false);
    const at = from + tex.length + gap.length;
    requestAnimationFrame(() => {
      input.focus();
      input.setSelectionRange(at, at);
    });
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      if (text === '') field.current?.blur();
      else clear();
    } else if (event.key === 'ArrowDown' && focusResult('first')) event.preventDefault();
    else if (event.key === 'Enter') {
      event.preventDefault();
      if (text !== lastWritten()) write(text, isFormula);
      else document.querySelector<HTMLElement>('[data-result]')?.click();
    }
  };

  return (
    <search className="sticky top-14 z-20 -mx-4 block bg-paper px-4 pt-3 pb-2 sm:-mx-6 sm:px-6 lg:-mx-8 lg:px-8 lg:pt-4">
      <div className="flex max-w-3xl items-center gap-2">
        <div className="relative min-w-0 flex-1">
          <Search
            className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-graphite"
            aria-hidden="true"
          />
          <input
            ref={field}
            type="search"
            data-search-field
            aria-label={isFormula ? 'Search for a formula, in LaTeX' : 'Search your documents'}
            aria-keyshortcuts="Control+K /"
            placeholder={isFormula ? '\\int e^{-x^2}' : 'Search documents'}
            value={text}
            maxLength={isFormula ? maxFormulaLength : maxQueryLength}
            autoComplete="off"
            autoCorrect="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            onChange={(event) => setText(event.target.value)}
            onKeyDown={handleKey}
            className={cn(
              'h-11 w-full rounded-lg border border-edge bg-page pr-20 pl-9 text-[0.9375rem] pointer-coarse:text-base [&::-webkit-search-cancel-button]:hidden',
              isFormula && 'font-mono text-sm',
            )}
          />
          <div className="absolute inset-y-0 right-1 flex items-center">
            {text === '' ? (
              <kbd className="mr-2 rounded border border-hairline px-1.5 font-sans text-xs leading-5 text-graphite pointer-coarse:hidden">
                {isApple ? '⌘K' : 'Ctrl K'}
              </kbd>
            ) : (
              <IconButton label="Clear the search" size="small" onClick={clear}>
                <X />
              </IconButton>
            )}
          </div>
        </div>
        <Button
          variant="outline"
          aria-pressed={isFormula}
          title="Search for a formula"
          icon={<Sigma className="size-4" />}
          onClick={() => switchTo(!isFormula)}
          className={cn('h-11', isFormula && 'border-ink bg-wash')}
        >
          <span className="max-sm:sr-only">Formula</span>
        </Button>
      </div>
      {isFormula && (
        <div className="mt-2 flex max-w-3xl animate-appear flex-wrap items-center gap-x-4 gap-y-2">
          <Popover.Root open={isPaletteOpen} onOpenChange={setIsPaletteOpen}>
            <Popover.Trigger asChild>
              <Button size="small" variant="quiet">
                Pick symbols
              </Button>
            </Popover.Trigger>
            <Popover.Content
              align="start"
              sideOffset={4}
              collisionPadding={8}
              aria-label="Symbols"
              className="z-40 animate-appear rounded-xl border border-hairline bg-page shadow-[0_12px_32px_-8px_oklch(0.2_0.04_266/0.25)] outline-none"
            >
              <Suspense>
                <SymbolPalette onPick={insert} />
              </Suspense>
            </Popover.Content>
          </Popover.Root>
          <p className="min-h-8 min-w-0 flex-1 content-center overflow-x-auto overflow-y-hidden">
            {text.trim() === '' ? (
              <span className="text-[0.8125rem] text-graphite">
                Matches whatever the variables are called, even inside a longer formula.
              </span>
            ) : (
              <Suspense>
                <Formula tex={text} />
              </Suspense>
            )}
          </p>
        </div>
      )}
    </search>
  );
}
