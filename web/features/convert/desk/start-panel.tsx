import { ArrowRight } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { maxPages } from '#shared/api/limits.ts';
import { useOnline } from '../../../lib/hooks/use-online.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { PriceLine } from '../price-line.tsx';
import { rangeOf, type TrayState } from '../tray/tray-state.ts';
import type { Tray } from '../tray/use-tray.ts';
import { useConfig } from '../use-config.ts';

interface StartPanelProps {
  tray: Tray;
  isStarting: boolean;
  onConvert: () => void;
}

/** What will be converted, by which reader, and the Convert button. */
export function StartPanel({ tray: { tray, dispatch }, isStarting, onConvert }: StartPanelProps) {
  const config = useConfig();
  const isOnline = useOnline();
  const pdfs = tray.sources.filter((source) => source.kind === 'pdf' && source.pageCount > 1);
  const isOpening = tray.sources.some((source) => source.state === 'opening');
  const count = tray.items.length;
  const hasUncounted = tray.sources.some((source) => source.state === 'sealed');
  const unknown = tray.sources.filter((source) => source.kind === 'other');
  const isAllUnknown = unknown.length === tray.sources.length;

  return (
    <div className="grid gap-6 px-4 py-5 tall:max-lg:pb-36">
      <div className="grid gap-1">
        <p className="font-serif text-2xl font-medium break-words">{titleOf(tray)}</p>
        {!isAllUnknown && (
          <p className="text-graphite">
            {hasUncounted
              ? 'The pages are counted when the file is opened.'
              : count === 1
                ? 'One page becomes one document.'
                : `${count} pages, read in this order, become one document.`}
          </p>
        )}
      </div>
      {pdfs.map((source) => (
        <RangeFields
          key={source.id}
          name={pdfs.length > 1 ? source.file.name : null}
          pageCount={source.pageCount}
          range={rangeOf(tray, source.id)}
          onChoose={(startPage, endPage) =>
            dispatch({ type: 'rangeChosen', sourceId: source.id, startPage, endPage })
          }
        />
      ))}
      {!isOnline && (
        <p role="status" className="text-sm text-red">
          You are offline. Your pages stay here; they are {isOpening ? 'shown' : 'converted'} when the
          connection is back.
        </p>
      )}
      {unknown.length > 0 && (
        <p className="text-sm text-red">
          {unknown.length === 1 ? `${unknown[0]?.file.name} is` : `${unknown.length} files are`} neither a PDF
          nor a picture. Files we can’t read are rejected at no cost.
        </p>
      )}
      {count > maxPages && (
        <p className="text-sm text-red">
          A conversion can have up to {maxPages} pages; you have {count}. Choose a shorter range.
        </p>
      )}
      {/* on a phone the button stays within reach of the thumb */}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 tall:max-lg:fixed tall:max-lg:inset-x-0 tall:max-lg:bottom-0 tall:max-lg:z-20 tall:max-lg:border-t tall:max-lg:border-hairline tall:max-lg:bg-paper tall:max-lg:px-4 tall:max-lg:pt-3 tall:max-lg:pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        <Button
          variant="primary"
          size="large"
          isBusy={isOpening || isStarting}
          disabled={count === 0}
          onClick={onConvert}
          className="max-lg:w-full lg:px-8"
        >
          {isOpening
            ? 'Opening pages'
            : hasUncounted
              ? 'Convert'
              : `Convert ${count} ${count === 1 ? 'page' : 'pages'}`}
          {!isOpening && <ArrowRight className="size-4" aria-hidden="true" />}
        </Button>
        <PriceLine
          tray={tray}
          pageCount={hasUncounted || isOpening ? null : count}
          className="max-lg:order-first max-lg:w-full"
        />
      </div>
      {config && (
        <p className="max-w-[38em] border-t border-hairline pt-4 text-sm text-graphite">
          {config.reader === 'vision-model'
            ? 'Read by a vision model. Your notes are kept as written: nothing is corrected or solved.'
            : 'Read by the embedded reader. It reads PDFs with text, including formulas, and the words of printed scans. Expect mistakes in handwriting, especially on photographed paper; anything it is unsure of is marked.'}
        </p>
      )}
    </div>
  );
}

function titleOf(tray: TrayState): string {
  const [first] = tray.sources;
  if (!first) return '';
  return tray.sources.length === 1
    ? first.file.name
    : `${first.file.name} and ${tray.sources.length - 1} more`;
}

interface RangeFieldsProps {
  /** Shown if there are several PDFs. */
  name: string | null;
  pageCount: number;
  range: { startPage: number; endPage: number } | null;
  onChoose: (startPage: number, endPage: number) => void;
}

/** The page range of a PDF, applied when a field loses the focus or on Enter. */
function RangeFields({ name, pageCount, range, onChoose }: RangeFieldsProps) {
  const id = useId();
  const [start, setStart] = useState('');
  const [end, setEnd] = useState('');
  const shownStart = range?.startPage ?? 1;
  const shownEnd = range?.endPage ?? pageCount;
  useEffect(() => {
    setStart(String(shownStart));
    setEnd(String(shownEnd));
  }, [shownStart, shownEnd]);

  const choose = () => {
    const clamp = (text: string, fallback: number) => {
      const value = Number.parseInt(text, 10);
      return Number.isNaN(value) ? fallback : Math.max(1, Math.min(pageCount, value));
    };
    const from = clamp(start, shownStart);
    const to = Math.max(from, clamp(end, shownEnd));
    setStart(String(from));
    setEnd(String(to));
    if (from !== shownStart || to !== shownEnd) onChoose(from, to);
  };
  const field =
    'h-10 w-20 rounded-lg border border-edge bg-page px-3 text-center tabular-nums pointer-coarse:text-base [appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none';
  return (
    <fieldset
      className="flex flex-wrap items-center gap-2 text-sm"
      onBlur={choose}
      onKeyDown={(event) => event.key === 'Enter' && choose()}
    >
      <legend className="mb-1.5 font-medium">{name ? `Pages of ${name}` : 'Pages of this PDF'}</legend>
      <label htmlFor={`${id}-start`} className="text-graphite">
        From
      </label>
      <input
        id={`${id}-start`}
        type="number"
        inputMode="numeric"
        min={1}
        max={pageCount}
        value={start}
        onChange={(event) => setStart(event.target.value)}
        className={field}
      />
      <label htmlFor={`${id}-end`} className="text-graphite">
        to
      </label>
      <input
        id={`${id}-end`}
        type="number"
        inputMode="numeric"
        min={1}
        max={pageCount}
        value={end}
        onChange={(event) => setEnd(event.target.value)}
        className={field}
      />
      <span className="text-graphite">of {pageCount}</span>
    </fieldset>
  );
}
