/**
 * Answers turns. An answer continues when nobody follows it any more, and is in the conversation when the
 * person returns. A repeated request follows the first; a turn that another process answers is polled.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LanguageModel } from 'ai';
import type { Logger } from 'pino';
import { describeAbsence } from '#platform/absence.ts';
import { VendorGate } from '#platform/ai/vendor-gate.ts';
import { ApiError } from '#platform/errors.ts';
import type { Conversation, NewTurn, TurnEvent } from '#shared/api/assistant.ts';
import type { Typesetter } from '#typesetting/index.ts';
import type { Database } from '../../database/database.ts';
import { getDocument, getPersonalPreamble, readFigures } from '../../library/index.ts';
import type { Storage } from '../../storage/storage.ts';
import { answerTurn } from './answer-turn.ts';
import { LiveTurn } from './live-turn.ts';
import type { EarlierTurn } from './model-messages.ts';
import { presentTurn, replayTurn } from './present-turn.ts';
import type { TurnOutcome } from './turn-context.ts';
import {
  beginTurn,
  cancelTurn,
  claimCredit,
  clearTurns,
  endTurn,
  getTurn,
  listEarlier,
  listTurns,
  renewEveryMs,
  renewTurn,
  type SaidTurn,
  settleExpired,
  type TurnEnd,
  type TurnRow,
} from './turn-store.ts';

export interface TurnRunnerDeps {
  db: Database;
  storage: Storage;
  typesetter: Typesetter;
  /** null: only what can be done by rule. */
  model: LanguageModel | null;
  /** The vendor's gate, if other parts use the same vendor. */
  gate?: VendorGate;
  logger: Logger;
  /** Limit of one attempt of the model. */
  timeoutMs?: number;
}

interface Asker {
  id: string;
  /** Whose turn in the queue the compiles take (`queueOwner`). */
  owner: string;
}

export interface TurnRunner {
  /** Asks, or follows an earlier turn of the same request. @throws ApiError like `beginTurn` */
  ask(
    asker: Asker,
    documentId: string,
    turn: NewTurn,
  ): Promise<(signal: AbortSignal) => AsyncGenerator<TurnEvent>>;
  list(userId: string, documentId: string): Promise<Conversation>;
  cancel(userId: string, documentId: string, requestId: string): Promise<TurnRow>;
  clear(userId: string, documentId: string): Promise<void>;
  /** Ends the streams; answers under way continue until `close`. */
  endStreams(): void;
  /** Interrupts answers under way, which then cost nothing. */
  close(): Promise<void>;
}

/** How often a turn that another process answers is polled, in ms. */
const lookEveryMs = 1_000;
/** Maximum length of the user's preamble and notation sent to a model, in UTF-16 units. */
const longestNotation = 8_000;

export function createTurnRunner(deps: TurnRunnerDeps): TurnRunner {
  const { db, logger } = deps;
  const gate = deps.gate ?? new VendorGate();
  const live = new Map<string, LiveTurn>();
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  const keyOf = (row: { documentId: string; requestId: string }) => `${row.documentId}/${row.requestId}`;

  async function run(row: TurnRow, turn: NewTurn, asker: Asker, current: LiveTurn): Promise<void> {
    const renewing = setInterval(() => {
      renewTurn(db, row).then(
        (isOurs) => {
          if (!isOurs) current.stop.abort(new Error('the turn was ended elsewhere'));
        },
        (error: unknown) => logger.warn({ err: error }, 'a turn of the assistant could not be renewed'),
      );
    }, renewEveryMs);
    try {
      const end = await answer(row, turn, asker, current);
      const isEnded = await endTurn(db, row, end);
      if (isEnded) announceEnd(current, end, turn);
    } catch (error) {
      logger.error({ err: error }, 'a turn of the assistant could not be kept; its credit goes back');
    } finally {
      clearInterval(renewing);
      current.close();
      live.delete(keyOf(row));
    }
  }

  async function answer(row: TurnRow, turn: NewTurn, asker: Asker, current: LiveTurn): Promise<TurnEnd> {
    try {
      const document = await getDocument(db, asker.id, row.documentId);
      const outcome = await answerTurn(turn, {
        ...deps,
        gate,
        owner: asker.owner,
        signal: current.stop.signal,
        assets: await readFigures(deps, row.documentId),
        engine: document.engine,
        earlier: deps.model ? (await listEarlier(db, row)).map(describeEarlier) : [],
        notation: deps.model ? describeNotation(await getPersonalPreamble(db, asker.id)) : '',
        emit: (event) => current.say(event),
        reserve: () => claimCredit(db, row),
      });
      return describeEnd(outcome, turn, current.answer);
    } catch (error) {
      // cancelled, or this process is stopping: the row says which
      if (current.stop.signal.aborted) return { state: 'interrupted', answer: current.answer, isOurs: true };
      logger.error({ err: error }, 'a turn of the assistant failed');
      const failed = (describeAbsence(error) ?? new ApiError('UNEXPECTED')).toObject();
      return { state: 'failed', answer: current.answer, error: failed, isOurs: true };
    }
  }

  /** Polls until the turn has ended, wherever it is answered. */
  async function* lookUp(row: TurnRow, signal: AbortSignal): AsyncGenerator<TurnEvent> {
    let seen = row;
    while (seen.state === 'running' && !signal.aborted) {
      await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
      await settleExpired(db, row.userId, row.documentId);
      seen = await getTurn(db, row.userId, row.documentId, row.requestId);
    }
    yield* replayTurn(seen);
  }

  return {
    async ask(asker, documentId, turn) {
      if (closing.signal.aborted)
        throw new ApiError('BUSY', {
          message: 'The server is restarting. Please ask again.',
          retryAfterSeconds: 5,
        });
      const { kind, row } = await beginTurn(db, asker.id, documentId, turn);
      let current = live.get(keyOf(row));
      if (kind === 'begun') {
        current = new LiveTurn();
        live.set(keyOf(row), current);
        const work = run(row, turn, asker, current);
        running.add(work);
        void work.then(() => running.delete(work));
      }
      const followed = current;
      return (signal) => {
        const either = AbortSignal.any([signal, closing.signal]);
        return followed ? followed.follow(either) : lookUp(row, either);
      };
    },
    async list(userId, documentId) {
      const turns = (await listTurns(db, userId, documentId)).map(presentTurn);
      // each holds two whole texts, so only the newest is sent with them
      const newest = turns.findLast(({ change }) => change !== null);
      for (const turn of turns) if (turn !== newest) turn.change = null;
      return { turns, has_model: deps.model !== null };
    },
    async cancel(userId, documentId, requestId) {
      const current = live.get(keyOf({ documentId, requestId }));
      const row = await cancelTurn(db, userId, documentId, requestId, current?.answer ?? '');
      if (row.state === 'cancelled' && current) {
        current.say({ type: 'done', state: 'cancelled' });
        current.stop.abort(new Error('cancelled by the person'));
      }
      return row;
    },
    async clear(userId, documentId) {
      await clearTurns(db, userId, documentId);
      for (const [key, current] of live)
        if (key.startsWith(`${documentId}/`)) {
          current.say({ type: 'done', state: 'cancelled' });
          current.stop.abort(new Error('the conversation was cleared'));
        }
    },
    endStreams: () => closing.abort(),
    async close() {
      closing.abort();
      for (const current of live.values()) current.stop.abort(new Error('the server is stopping'));
      await Promise.all(running);
    },
  };
}

function describeEnd(outcome: TurnOutcome, turn: NewTurn, answer: string): TurnEnd {
  switch (outcome.kind) {
    case 'answered':
      return { state: 'answered', answer };
    case 'changed': {
      const { latex, description, warnings } = outcome;
      return {
        state: 'changed',
        answer,
        change: { before: turn.latex, after: latex, description, warnings },
      };
    }
    case 'failed':
      return { state: 'failed', answer, error: outcome.error, isOurs: outcome.isOurs };
  }
}

/** Sent only after it is stored, so that what the person sees is what the conversation holds. */
function announceEnd(current: LiveTurn, { state, change, error }: TurnEnd, turn: NewTurn): void {
  if (change)
    current.say({
      type: 'change',
      change: {
        before: change.before,
        latex: change.after,
        description: change.description,
        base_version: turn.base_version,
        warnings: change.warnings,
      },
    });
  if (error) current.say({ type: 'error', error });
  current.say({ type: 'done', state });
}

function describeEarlier({ message, answer, description, decision }: SaidTurn): EarlierTurn {
  const taken =
    decision && `(${decision.accepted} of its ${decision.accepted + decision.rejected} parts were taken.)`;
  return { message, answer, description, decision: taken };
}

function describeNotation({ preamble, notation }: Awaited<ReturnType<typeof getPersonalPreamble>>): string {
  const signs = notation.map(
    ({ command, latex, meaning }) => `${command} is ${latex}${meaning ? ` (${meaning})` : ''}`,
  );
  return [preamble.trim(), ...signs].filter(Boolean).join('\n').slice(0, longestNotation);
}
