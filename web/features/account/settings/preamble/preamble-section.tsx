import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { PersonalPreamble, PreambleRefused } from '#shared/api/exchange.ts';
import { describeError } from '../../../../lib/api/describe-error.ts';
import { getPersonalPreamble, savePersonalPreamble } from '../../../../lib/api/exchange-api.ts';
import { retryImport } from '../../../../lib/retry-import.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { Loading } from '../../../../ui/controls/loading.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { Section } from '../../../../ui/section.tsx';
import { keepGood } from '../keep-good.ts';
import { NotationList, type NotationRow, toNotation, toRows } from './notation-list.tsx';

const PreambleEditor = lazy(async () => ({
  default: (await retryImport(() => import('./preamble-editor.tsx'))).PreambleEditor,
}));

/** The user's own macros and symbols: new documents start with them, and the reader receives them. */
export function PreambleSection({ userId }: { userId: string }) {
  const queryKey = ['preamble', userId];
  const queries = useQueryClient();
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => getPersonalPreamble(signal),
    structuralSharing: keepGood,
    // a refetch must not replace unsaved input
    staleTime: Number.POSITIVE_INFINITY,
  });
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (location.hash === '#preamble') place.current?.scrollIntoView({ block: 'start' });
  }, []);

  return (
    <div id="preamble" ref={place} className="scroll-mt-16">
      <Section
        title="Macros and notation"
        description="New documents and conversions start with these, and the reader knows your symbols. A document’s own definitions always take precedence."
      >
        {query.data === undefined ? (
          <Loading />
        ) : query.data.ok ? (
          <Editing
            saved={query.data.data}
            onSaved={(data) => queries.setQueryData(queryKey, { ok: true, data })}
          />
        ) : (
          <Notice
            tone="error"
            title={describeError(query.data.error)}
            actions={<Button onClick={() => void query.refetch()}>Try again</Button>}
          />
        )}
      </Section>
    </div>
  );
}

type State =
  | { kind: 'idle' | 'busy' | 'saved' }
  | { kind: 'faulty'; refused: PreambleRefused['refused'] }
  | { kind: 'conflict'; current: PersonalPreamble }
  | { kind: 'failed'; text: string };

interface EditingProps {
  saved: PersonalPreamble;
  onSaved: (saved: PersonalPreamble) => void;
}

function Editing({ saved, onSaved }: EditingProps) {
  const [preamble, setPreamble] = useState(saved.preamble);
  const [rows, setRows] = useState<readonly NotationRow[]>(() => toRows(saved.notation));
  const [state, setState] = useState<State>({ kind: 'idle' });
  /** The text to put into the editor, which otherwise holds its own. */
  const [shown, setShown] = useState({ text: saved.preamble, count: 0 });

  const notation = toNotation(rows);
  const isChanged =
    preamble !== saved.preamble || JSON.stringify(notation) !== JSON.stringify(saved.notation);
  const refused = state.kind === 'faulty' ? state.refused : [];
  const touch = () => setState((known) => (known.kind === 'busy' ? known : { kind: 'idle' }));

  const handleSave = async (baseVersion = saved.version) => {
    // removes empty rows: positions in the list are those of the rows sent
    setRows(toRows(notation));
    setState({ kind: 'busy' });
    const result = await savePersonalPreamble({ base_version: baseVersion, preamble, notation });
    switch (result.kind) {
      case 'saved':
        onSaved(result.saved);
        return setState({ kind: 'saved' });
      case 'conflict':
        return setState({ kind: 'conflict', current: result.current });
      case 'faulty':
        return setState({ kind: 'faulty', refused: result.refused });
      case 'refused':
        return setState({ kind: 'failed', text: describeError(result.error) });
    }
  };
  const handleTakeTheirs = (current: PersonalPreamble) => {
    onSaved(current);
    setPreamble(current.preamble);
    setRows(toRows(current.notation));
    setShown(({ count }) => ({ text: current.preamble, count: count + 1 }));
    setState({ kind: 'idle' });
  };

  return (
    <>
      <div>
        <h3 className="text-sm font-medium">Preamble</h3>
        <p className="mt-0.5 mb-2 text-[0.8125rem] text-graphite">
          Packages, definitions and settings, one per line.
        </p>
        <Suspense fallback={<div className="h-44 rounded-lg border border-edge bg-page" />}>
          <PreambleEditor
            key={shown.count}
            value={shown.text}
            faults={refused.filter((fault) => fault.in === 'preamble')}
            onChange={(text) => {
              setPreamble(text);
              touch();
            }}
          />
        </Suspense>
        <Faults
          faults={refused.flatMap((fault) =>
            fault.in === 'preamble' ? [`Line ${fault.place}: ${fault.message}`] : [],
          )}
        />
      </div>
      <NotationList
        rows={rows}
        faults={refused.filter((fault) => fault.in === 'notation')}
        onChange={(next) => {
          setRows(next);
          touch();
        }}
      />
      {state.kind === 'conflict' && (
        <Notice
          tone="warning"
          title="It was changed elsewhere in the meantime"
          actions={
            <>
              <Button onClick={() => handleTakeTheirs(state.current)}>Use the other version</Button>
              <Button onClick={() => void handleSave(state.current.version)}>Overwrite it with mine</Button>
            </>
          }
        >
          You are looking at your version. Nothing was overwritten.
        </Notice>
      )}
      {state.kind === 'failed' && <Notice tone="error" title={state.text} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          variant="primary"
          isBusy={state.kind === 'busy'}
          disabled={!isChanged}
          onClick={() => void handleSave()}
        >
          Save
        </Button>
        <p role="status" className="text-[0.8125rem] text-graphite">
          {state.kind === 'busy' && 'Checking that it compiles'}
          {state.kind === 'saved' && !isChanged && 'Saved. It compiles.'}
          {state.kind === 'faulty' && 'Not saved: it does not compile.'}
        </p>
      </div>
    </>
  );
}

function Faults({ faults }: { faults: readonly string[] }) {
  if (faults.length === 0) return null;
  return (
    <div role="alert" className="mt-2 text-[0.8125rem] text-red">
      <ul className="grid gap-1">
        {faults.map((fault) => (
          <li key={fault} className="break-words">
            {fault}
          </li>
        ))}
      </ul>
    </div>
  );
}
