import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Undo2, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useId, useRef, useState } from 'react';
import type { VersionSummary } from '#shared/api/library.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { compareVersions } from '#web/lib/api/document-api.ts';
import { useMediaQuery } from '#web/lib/hooks/use-media-query.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextComparison, type TextComparisonHandle } from '#web/ui/source-editor/text-comparison.tsx';
import { describeVersion } from './group-versions.ts';

interface CompareScreenProps {
  documentId: string;
  /** Newest first; includes both sides. */
  versions: readonly VersionSummary[];
  from: number;
  to: number;
  onChoose: (pair: { from: number; to: number }) => void;
  isBusy: boolean;
  onRestore: (version: VersionSummary) => void;
  onClose: () => void;
}

/** The differences between two versions. */
export function CompareScreen(props: CompareScreenProps) {
  const { documentId, versions, from, to, onChoose, isBusy, onRestore, onClose } = props;
  const isWide = useMediaQuery('(min-width: 64rem)');
  const [choice, setChoice] = useState<'beside' | 'unified'>('beside');
  const [isWhole, setIsWhole] = useState(false);
  const comparison = useRef<TextComparisonHandle>(null);
  const present = versions[0]?.version;
  const { data } = useQuery({
    queryKey: ['document', documentId, 'compare', from, to],
    queryFn: ({ signal }) => compareVersions(documentId, { from, to }, signal),
    // a version never changes; only a failed request is repeated
    staleTime: (query) => (query.state.data?.ok ? Number.POSITIVE_INFINITY : 0),
  });
  const earlier = versions.find((one) => one.version === from);
  const isSame = data?.ok && data.data.from.latex === data.data.to.latex;

  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-[oklch(0.15_0.02_266/0.45)]" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-0 z-50 flex animate-appear flex-col overflow-hidden bg-paper outline-none sm:inset-4 sm:rounded-2xl sm:border sm:border-hairline lg:inset-x-[max(1rem,calc(50vw-45rem))] lg:inset-y-8"
        >
          <header className="grid gap-3 border-b border-hairline px-4 pt-4 pb-3 sm:px-6">
            <Dialog.Title className="pr-12 font-serif text-[1.375rem] leading-tight font-medium">
              What changed
            </Dialog.Title>
            <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
              <VersionSelect
                label="From"
                versions={versions}
                value={from}
                onChange={(version) => onChoose({ from: version, to })}
              />
              <VersionSelect
                label="To"
                versions={versions}
                value={to}
                onChange={(version) => onChoose({ from, to: version })}
              />
              <div className="flex flex-wrap items-center gap-x-4 gap-y-2 lg:ml-auto">
                <label className="flex min-h-9 items-center gap-2 text-[0.8125rem]">
                  <Checkbox checked={isWhole} onChange={(event) => setIsWhole(event.target.checked)} />
                  Whole text
                </label>
                {isWide && (
                  <fieldset className="flex rounded-lg border border-hairline p-0.5">
                    <legend className="sr-only">View</legend>
                    {(['beside', 'unified'] as const).map((mode) => (
                      <button
                        key={mode}
                        type="button"
                        aria-pressed={choice === mode}
                        onClick={() => setChoice(mode)}
                        className="h-8 rounded-md px-2.5 text-[0.8125rem] text-graphite transition-colors duration-150 hover:text-ink aria-pressed:bg-wash aria-pressed:font-medium aria-pressed:text-ink"
                      >
                        {mode === 'beside' ? 'Side by side' : 'Unified'}
                      </button>
                    ))}
                  </fieldset>
                )}
                <span className="flex">
                  <IconButton label="Previous change" onClick={() => comparison.current?.step(-1)}>
                    <ArrowUp />
                  </IconButton>
                  <IconButton label="Next change" onClick={() => comparison.current?.step(1)}>
                    <ArrowDown />
                  </IconButton>
                </span>
              </div>
            </div>
          </header>
          <div className="min-h-0 flex-1 bg-page">
            {!data && <Loading label="Loading both versions" />}
            {data && !data.ok && <Notice tone="error" title={describeError(data.error)} className="m-4" />}
            {isSame && <p className="p-6 text-sm text-graphite">Both versions have the same text.</p>}
            {data?.ok && !isSame && (
              <TextComparison
                ref={comparison}
                from={data.data.from.latex}
                to={data.data.to.latex}
                mode={isWide ? choice : 'unified'}
                isFolded={!isWhole}
              />
            )}
          </div>
          <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-hairline px-4 py-3 sm:px-6">
            <Button onClick={onClose}>Close</Button>
            {earlier && from !== present && (
              <Button
                variant="primary"
                icon={<Undo2 className="size-4" />}
                isBusy={isBusy}
                onClick={() => onRestore(earlier)}
              >
                Restore the earlier version
              </Button>
            )}
          </footer>
          <Dialog.Close asChild>
            <IconButton label="Close" className="absolute top-2.5 right-2 sm:right-4">
              <X />
            </IconButton>
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface VersionSelectProps {
  label: string;
  versions: readonly VersionSummary[];
  value: number;
  onChange: (version: number) => void;
}

function VersionSelect({ label, versions, value, onChange }: VersionSelectProps) {
  const now = Date.now();
  const id = useId();
  return (
    <div className="grid min-w-0 gap-1 text-xs text-graphite max-sm:w-full">
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        size="small"
        className="sm:w-[19rem]"
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
      >
        {versions.map((version, at) => (
          <option key={version.version} value={version.version}>
            {at === 0 ? `Now (${describeVersion(version, now)})` : describeVersion(version, now)}
          </option>
        ))}
      </Select>
    </div>
  );
}
