/**
 * The open document's conversation with the assistant: its turns, the running answer, the proposal, and the panel's
 * state. It lives as long as the document's page, whether or not the panel is open.
 */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { NewTurn, Turn, TurnEvent, TurnStage } from '#shared/api/assistant.ts';
import type { ErrorObject, LogMessage } from '#shared/api/errors.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { refreshCredits } from '#web/lib/billing/credits.ts';
import { openCreditsDialog } from '#web/lib/billing/credits-dialog.ts';
import type { EditorHandle } from '../editor-handle.ts';
import { cancelTurn, clearConversation, decideTurn, getConversation, streamTurn } from './assistant-api.ts';
import { type OpenProposal, Proposal } from './proposal.ts';

export interface AssistantState {
  turns: readonly Turn[];
  /** Null until known. */
  hasModel: boolean | null;
  /** Why the conversation could not be loaded. */
  problem: string | null;
  /** The stage of the answer in progress here; null if there is none. */
  stage: TurnStage | null;
  /** The reasoning that a model streams before its answer. */
  thinking: string;
  /** The connection was lost and is being restored. */
  isReconnecting: boolean;
  proposal: OpenProposal | null;
  selection: { from: number; to: number } | null;
}

export interface Question {
  message: string;
  intent?: NewTurn['intent'];
  selection?: { from: number; to: number } | null;
  logMessage?: LogMessage | null;
}

/** Delays before reconnecting to a broken stream, in ms; the server keeps the answer in the meantime. */
const reconnectAfterMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** How often to poll a turn that another page started, in ms. */
const lookEveryMs = 1_500;

export class Assistant {
  readonly #handle: EditorHandle;
  readonly #proposal: Proposal;
  readonly #listeners = new Set<() => void>();
  #state: AssistantState;
  #asking: { requestId: string; stop: AbortController } | null = null;
  #hasFetched = false;
  #looking: ReturnType<typeof setTimeout> | undefined;

  constructor(handle: EditorHandle) {
    this.#handle = handle;
    this.#proposal = new Proposal({
      handle,
      onUpdate: () => this.#refresh(),
      onDecided: (requestId, decision) => {
        this.#changeTurn(requestId, { decision, change: null });
        void decideTurn(handle.documentId, requestId, decision);
      },
    });
    this.#state = {
      turns: [],
      hasModel: null,
      problem: null,
      stage: null,
      thinking: '',
      isReconnecting: false,
      proposal: null,
      selection: null,
    };
  }

  getState = (): AssistantState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Call when the panel opens. @returns a function to call when it closes */
  open(): () => void {
    if (!this.#hasFetched) void this.fetch();
    this.#refresh();
    const unsubscribe = this.#handle.onText(() => this.#refresh());
    return () => {
      unsubscribe();
      clearTimeout(this.#looking);
    };
  }

  /** Loads the conversation; opens the newest undecided change. */
  async fetch(): Promise<void> {
    clearTimeout(this.#looking);
    const answer = await getConversation(this.#handle.documentId);
    if (!answer.ok) return this.#set({ problem: describeError(answer.error) });
    this.#hasFetched = true;
    // a turn being streamed here is newer here
    const streamed = this.#state.turns.find(({ request_id }) => request_id === this.#asking?.requestId);
    const turns = answer.data.turns.filter(({ request_id }) => request_id !== streamed?.request_id);
    this.#set({
      problem: null,
      hasModel: answer.data.has_model,
      turns: streamed ? [...turns, streamed] : turns,
    });
    const newest = turns.at(-1);
    if (newest?.change && !streamed) this.#proposal.open(newest.request_id, newest.change);
    if (newest?.state === 'running' && !streamed && this.#listeners.size > 0)
      this.#looking = setTimeout(() => void this.fetch(), lookEveryMs);
  }

  /** True while no question can be sent. */
  get isBusy(): boolean {
    return this.#asking !== null || this.#state.turns.some(({ state }) => state === 'running');
  }

  async ask(question: Question): Promise<void> {
    if (this.isBusy) return;
    const turn: NewTurn = {
      request_id: crypto.randomUUID(),
      intent: question.intent ?? 'ask',
      message: question.message,
      latex: this.#handle.getText(),
      base_version: this.#handle.version(),
      selection: question.selection ?? null,
      log_message: question.logMessage ?? null,
    };
    await this.#stream(turn);
  }

  async #stream(turn: NewTurn): Promise<void> {
    const { documentId } = this.#handle;
    const stop = new AbortController();
    this.#asking = { requestId: turn.request_id, stop };
    this.#leaveProposal();
    this.#set({ stage: 'thinking', turns: [...this.#state.turns, describeTurn(turn)] });
    for (let attempt = 0; ; attempt++) {
      // each attempt receives the answer from its beginning
      this.#changeTurn(turn.request_id, { answer: '', error: null });
      this.#set({ thinking: '' });
      const end = await streamTurn(documentId, turn, (event) => this.#hear(turn, event), stop.signal);
      if (stop.signal.aborted) break;
      if (end.kind === 'refused') this.#refuse(turn, end.error);
      const wait = reconnectAfterMs[attempt];
      if (end.kind !== 'broken-off') break;
      if (wait === undefined) {
        this.#changeTurn(turn.request_id, { state: 'running' });
        break;
      }
      this.#set({ isReconnecting: true });
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
    this.#asking = null;
    this.#set({ stage: null, thinking: '', isReconnecting: false });
    const isOpenEnded = this.#state.turns.some(({ state }) => state === 'running');
    if (isOpenEnded) this.#looking = setTimeout(() => void this.fetch(), lookEveryMs);
    void refreshCredits();
  }

  #hear(turn: NewTurn, event: TurnEvent): void {
    const { request_id: id } = turn;
    if (this.#state.isReconnecting) this.#set({ isReconnecting: false });
    switch (event.type) {
      case 'stage':
        this.#set({ stage: event.stage });
        break;
      case 'thinking':
        this.#set({ thinking: this.#state.thinking + event.delta });
        break;
      case 'text': {
        const answer = this.#state.turns.find(({ request_id }) => request_id === id)?.answer ?? '';
        this.#changeTurn(id, { answer: answer + event.delta });
        break;
      }
      case 'change':
        this.#changeTurn(id, { change: event.change, description: event.change.description });
        this.#proposal.open(id, event.change);
        break;
      case 'error':
        if (event.error.code === 'INSUFFICIENT_CREDITS') askForCredits(event.error);
        this.#changeTurn(id, { error: event.error });
        break;
      case 'done':
        this.#changeTurn(id, { state: event.state });
        break;
    }
  }

  /**
   * The turn was refused before anything was stored: the question is shown with the reason, and can be sent again.
   */
  #refuse(turn: NewTurn, error: ErrorObject): void {
    if (error.code === 'INSUFFICIENT_CREDITS') askForCredits(error);
    this.#changeTurn(turn.request_id, { state: 'failed', error });
  }

  async cancel(): Promise<void> {
    const requestId =
      this.#asking?.requestId ?? this.#state.turns.findLast(({ state }) => state === 'running')?.request_id;
    if (!requestId) return;
    const answer = await cancelTurn(this.#handle.documentId, requestId);
    // it may have just ended
    if (answer.ok) this.#changeTurn(requestId, answer.data);
    else this.#changeTurn(requestId, { state: 'cancelled' });
    if (this.#asking?.requestId === requestId) this.#asking.stop.abort();
    if (answer.ok && answer.data.change) this.#proposal.open(requestId, answer.data.change);
  }

  /** Asks the same question again, with the current text. */
  async askAgain({ message, intent, log_message }: Turn): Promise<void> {
    await this.ask({ message, intent, logMessage: log_message });
  }

  async clear(): Promise<void> {
    this.#proposal.close();
    this.#asking?.stop.abort();
    const answer = await clearConversation(this.#handle.documentId);
    if (answer.ok) this.#set({ turns: [], problem: null });
    else this.#set({ problem: describeError(answer.error) });
  }

  accept(ids: readonly number[]): void {
    this.#proposal.accept(ids);
  }

  reject(ids: readonly number[]): void {
    this.#proposal.reject(ids);
  }

  goTo(id: number): void {
    this.#proposal.goTo(id);
  }

  /** Reopens an earlier undecided change. */
  reopen({ request_id, change }: Turn): void {
    if (!change) return;
    this.#leaveProposal();
    this.#proposal.open(request_id, change);
  }

  /** Only one proposal is open at a time; leaving a partly decided one rejects its other parts. */
  #leaveProposal(): void {
    const open = this.#proposal.read();
    if (!open) return;
    if (open.accepted + open.rejected > 0)
      this.#proposal.reject([...open.hunks, ...open.lost].map(({ id }) => id));
    else this.#proposal.close();
  }

  #refresh(): void {
    this.#proposal.prepare();
    const next = {
      proposal: this.#proposal.read(),
      selection: this.#handle.getSelection(),
    };
    const { proposal, selection } = this.#state;
    const isSame =
      next.proposal === proposal &&
      next.selection?.from === selection?.from &&
      next.selection?.to === selection?.to;
    if (!isSame) this.#set(next);
  }

  #changeTurn(requestId: string, change: Partial<Turn>): void {
    const turns = this.#state.turns.map((turn) =>
      turn.request_id === requestId ? { ...turn, ...change } : turn,
    );
    this.#set({ turns });
  }

  #set(change: Partial<AssistantState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}

function describeTurn({ request_id, intent, message, latex, selection, log_message }: NewTurn): Turn {
  return {
    request_id,
    intent,
    message,
    scope: selection ? latex.slice(selection.from, selection.to).slice(0, 200) : null,
    log_message,
    state: 'running',
    answer: '',
    error: null,
    description: null,
    decision: null,
    change: null,
    created_at: new Date().toISOString(),
  };
}

function askForCredits({ required, available }: ErrorObject): void {
  void refreshCredits();
  openCreditsDialog({ kind: 'assistant', required: required ?? null, available: available ?? null });
}

const assistants = new WeakMap<EditorHandle, Assistant>();

/** The assistant of an opened document, the same object as long as its page exists. */
export function useAssistant(handle: EditorHandle): { assistant: Assistant; state: AssistantState } {
  const [assistant] = useState(() => {
    const known = assistants.get(handle) ?? new Assistant(handle);
    assistants.set(handle, known);
    return known;
  });
  const state = useSyncExternalStore(assistant.subscribe, assistant.getState, assistant.getState);
  useEffect(() => assistant.open(), [assistant]);
  return { assistant, state };
}
