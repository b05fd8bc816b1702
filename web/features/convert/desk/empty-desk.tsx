import { useState } from 'react';
import { maxFileBytes, maxPages } from '#shared/api/limits.ts';
import { FileButton } from '../file-buttons.tsx';
import { fetchSample, handwrittenSample, printedSample, type Sample } from '../run/samples.ts';

interface EmptyDeskProps {
  onFiles: (files: File[]) => void;
  /** Shows a sample's result. */
  onSample: (sample: Sample) => void;
}

/** The empty desk. Teaches one thing: add your notes. */
export function EmptyDesk({ onFiles, onSample }: EmptyDeskProps) {
  const [fetching, setFetching] = useState<Sample | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const handleSample = async (sample: Sample) => {
    setFetching(sample);
    setHasFailed(false);
    // the desk finds it in the browser's cache
    const { ok } = await fetchSample(sample.id);
    setFetching(null);
    if (ok) onSample(sample);
    else setHasFailed(true);
  };
  const card = (sample: Sample, label: string) => (
    <button
      type="button"
      aria-busy={fetching === sample}
      disabled={fetching !== null}
      onClick={() => void handleSample(sample)}
      className="group grid justify-items-center gap-2 rounded-lg text-sm text-graphite hover:text-ink"
    >
      <img
        src={`/samples/${sample.id}-small.webp`}
        alt=""
        width={256}
        height={288}
        loading="lazy"
        className="sheet h-36 w-32 object-cover 2xl:h-54 2xl:w-48 object-top transition-transform duration-150 group-hover:-translate-y-0.5 motion-reduce:transform-none"
      />
      <span className="font-medium whitespace-nowrap underline decoration-edge underline-offset-4 group-hover:decoration-ink">
        {label}
      </span>
    </button>
  );

  return (
    <div className="grid w-full grid-cols-1 gap-4 p-4 sm:p-6 lg:min-h-[calc(100dvh-var(--header))] lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <section
        aria-labelledby="desk-title"
        className="relative grid content-center justify-items-center gap-6 rounded-2xl border border-dashed border-edge bg-page px-6 py-16 text-center sm:py-20"
      >
        <div className="grid gap-3">
          <h1 id="desk-title" className="font-serif text-3xl font-medium tracking-tight sm:text-4xl">
            Add your notes
          </h1>
          <p className="mx-auto max-w-[29em] text-graphite">
            Photos, scans or PDFs.{' '}
            <span className="pointer-coarse:hidden">Drop them anywhere, paste them, or choose them. </span>
            Multiple images are combined in the order you add them.
          </p>
        </div>
        <div className="flex flex-wrap justify-center gap-3">
          <FileButton onFiles={onFiles} label="Choose files" variant="primary" size="large" />
          <div className="hidden pointer-coarse:block">
            <FileButton onFiles={onFiles} label="Take a photo" isCamera size="large" />
          </div>
        </div>
        <div className="grid justify-items-center gap-4">
          <p className="text-sm text-graphite">No notes at hand?</p>
          <div className="flex flex-wrap justify-center gap-6">
            {card(handwrittenSample, 'Try a sample page')}
            {card(printedSample, 'or a printed one')}
          </div>
        </div>
        <p role="status" className="hidden text-sm early-files:block">
          Your files have been added. The converter opens in a moment.
        </p>
        {hasFailed && (
          <p role="alert" className="text-sm text-red">
            The sample could not be fetched. Check your connection and try again.
          </p>
        )}
      </section>
      <aside
        aria-labelledby="print-title"
        className="grid content-center gap-6 rounded-2xl bg-paper-deep px-6 py-10 sm:px-10"
      >
        <h2 id="print-title" className="font-serif text-xl font-medium">
          Your document appears here
        </h2>
        <dl className="grid gap-5 text-[0.9375rem]">
          <Fact term="Pages arrive one by one">
            You can check the first pages while the rest are still being read.
          </Fact>
          <Fact term="The LaTeX compiles">
            Every document is compiled before you get it. Anything we can’t typeset is kept as plain text and
            flagged.
          </Fact>
          <Fact term="Your files are deleted">
            Your upload is deleted when the conversion ends, or at most an hour later. Closing the result
            deletes it too.
          </Fact>
          <Fact term="Supported files">
            PDF, JPEG, PNG, HEIC, WebP, TIFF, AVIF. Up to {maxPages} pages, {maxFileBytes / 1_000_000} MB per
            file.
          </Fact>
        </dl>
      </aside>
    </div>
  );
}

function Fact({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <div className="border-t border-hairline pt-4">
      <dt className="font-medium">{term}</dt>
      <dd className="mt-1 max-w-[33em] text-graphite">{children}</dd>
    </div>
  );
}
