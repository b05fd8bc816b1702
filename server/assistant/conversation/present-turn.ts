import type { ProposedChange, Turn, TurnEvent } from '#shared/api/assistant.ts';
import type { TurnRow } from './turn-store.ts';

/** A row, as presented to its owner. */
export function presentTurn(row: TurnRow): Turn {
  return {
    request_id: row.requestId,
    intent: row.intent,
    message: row.message,
    scope: row.scope,
    log_message: row.logMessage,
    state: row.state,
    answer: row.answer,
    error: row.error,
    description: row.description,
    decision: row.decision,
    change: presentChange(row),
    created_at: row.createdAt.toISOString(),
  };
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
