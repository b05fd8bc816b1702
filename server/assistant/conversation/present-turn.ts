import { type ProposedChange, Turn, type TurnEvent } from '#shared/api/assistant.ts';
import { presentRow } from '../../database/present-row.ts';
import type { TurnRow } from './turn-store.ts';

const fields = Turn.omit({ change: true }).keyof().options;

/** A row, as presented to its owner. */
export function presentTurn(row: TurnRow): Turn {
  return { ...presentRow(row, fields), change: presentChange(row) };
}

function presentChange({
  before,
  after,
  description,
  baseVersion,
  warnings,
  decision,
}: TurnRow): ProposedChange | null {
  if (before === null || after === null || decision !== null) return null;
  return { before, latex: after, description: description ?? '', base_version: baseVersion, warnings };
}

/** The events that the stream of an ended turn sends. */
export function replayTurn(row: TurnRow): TurnEvent[] {
  const change = presentChange(row);
  return [
    ...(row.answer === '' ? [] : [{ type: 'text' as const, delta: row.answer }]),
    ...(change ? [{ type: 'change' as const, change }] : []),
    ...(row.error ? [{ type: 'error' as const, error: row.error }] : []),
    ...(row.state === 'running' ? [] : [{ type: 'done' as const, state: row.state }]),
  ];
}
