/**
 * The browser's end of a compile session: it takes the text as it is typed and tells what is to be shown. It connects
 * with the first document, sends edits as changes, and after a lost connection the whole text. Where no WebSocket gets
 * through, every pause in typing is compiled by POST /compile instead: slower, and without searching.
 */
import {
  compileSessionProtocol,
  maxChangesPerEdit,
  type PdfPlace,
  SessionAnswer,
  type SessionRequest,
  sessionCloseCodes,
  type TextChange,
} from '#shared/api/compile-session.ts';
import type { Figure } from '#shared/api/conversion.ts';
import type { ErrorObject, LogMessage } from '#shared/api/errors.ts';
import { apiUrl } from '../api/api-base.ts';
import { callBlob, networkError, noticeRefusal } from '../api/api-client.ts';
import { describeError } from '../api/describe-error.ts';
import { getAccessToken } from '../session/get-supabase.ts';
import { getSessionState, onSessionEvent } from '../session/session-store.ts';
import { findDifference } from '../text-difference.ts';

/** How far the newest text is. */
export type LiveStatus =
  /** No document yet. */
  | 'off'
  /** On its way, or being compiled. */
  | 'working'
  /** What is shown is the newest text. */
  | 'shown'
  /** The newest text does not compile. */
  | 'failed'
  /** It cannot be compiled just now; `problem` says why. */
  | 'waiting';

export interface LiveState {
  status: LiveStatus;
  /** The newest good PDF, with the text that it is of. `isFinal`: no later pass changes it. */
  pdf: { bytes: Uint8Array<ArrayBuffer>; latex: string; isFinal: boolean } | null;
  /** Pages that are newer than `pdf`; null when there are none. */
  pages: { bytes: Uint8Array<ArrayBuffer>; firstPage: number; lastPage: number } | null;
  /** What the last compile that ended said, and of which text; null before one ended. */
  report: { latex: string; isGood: boolean; messages: LogMessage[] } | null;
  problem: string | null;
}

export interface CompileSession {
  getState(): LiveState;
  subscribe(listener: () => void): () => void;
  /** The text is now this one. `changes`: how it came from the one before, where the editor knows. */
  update(latex: string, figures: Figure[], changes?: TextChange[]): void;
  /** Where a line is printed; null when that is not known. */
  locate(asked: { line: number; column?: number; nearPage?: number }): Promise<PdfPlace | null>;
  /** Which line printed this point; null when that is not known. */
  findLine(point: { page: number; x: number; y: number }): Promise<number | null>;
  close(): void;
}

const initialState: LiveState = { status: 'off', pdf: null, pages: null, report: null, problem: null };
const reconnectDelaysMs = [300, 1_000, 2_000, 5_000, 10_000];
/** Connections in a row that never opened, after which none is tried for a while. */
const triesBeforeFallback = 2;
const fallbackMs = 60_000;
/** Without a session, a compile begins this long after the last key. */
const pauseMs = 600;
const searchPatienceMs = 5_000;
/** After a call that reached nobody, it is tried again. */
const retryMs = 10_000;
const offlineProblem = 'Offline. The page follows once you are back.';
/** What the browser knows: false says nothing yet of the way to the server. */
const isOffline = () => typeof navigator !== 'undefined' && navigator.onLine === false;

type Search = Extract<SessionRequest, { type: 'locate' | 'source' }>;
type SearchAnswer = Extract<SessionAnswer, { type: 'location' | 'source_position' }>;

/** @param options `engine`: what it is compiled with; without one the server chooses by the document */
export function createCompileSession(options: { engine?: 'xelatex' | 'pdflatex' } = {}): CompileSession {
  const { engine } = options;
  let state = initialState;
  const listeners = new Set<() => void>();
  let socket: WebSocket | null = null;
  let isConnecting = false;
  let isClosed = false;
  let failures = 0;
  /** The account that the socket was opened for; null for a visitor. */
  let openedFor: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Until then (ms) no connection is tried. */
  let fallbackUntil = 0;
  let fallbackCall: AbortController | null = null;

  let latex: string | null = null;
  let figures: Figure[] = [];
  let version = 0;
  /** Texts of which something may still come, by version. */
  const texts = new Map<number, string>();
  let pdfVersion = -1;
  let reportVersion = -1;
  /** A message whose PDF is the next binary one. */
  let announced: Extract<SessionAnswer, { type: 'pages' | 'result' }> | null = null;
  const searches: { type: SearchAnswer['type']; resolve: (answer: SearchAnswer | null) => void }[] = [];

  const put = (changed: Partial<LiveState>) => {
    state = { ...state, ...changed };
    for (const listener of [...listeners]) listener();
  };
  const isOpen = () => socket?.readyState === WebSocket.OPEN && !isConnecting;
  const send = (request: SessionRequest) => socket?.send(JSON.stringify(request));
  const remember = (text: string) => {
    version++;
    texts.set(version, text);
    return version;
  };

  const update = (text: string, nextFigures: Figure[], changes?: TextChange[]) => {
    if (isClosed) return;
    const before = latex;
    const hasNewFigures = nextFigures !== figures;
    if (text === before && !hasNewFigures) return;
    latex = text;
    figures = nextFigures;
    const base = version;
    const next = remember(text);
    if (isOffline()) return put({ status: 'waiting', problem: offlineProblem });
    put({ status: 'working', problem: null });
    if (!isOpen()) return connectOrFallBack();
    if (hasNewFigures) {
      send({ type: 'figures', version: next, figures });
      if (text !== before) send({ type: 'replace', version: remember(text), latex: text });
      return;
    }
    const told = before === null ? [] : chooseChanges(before, text, changes);
    send({ type: 'edit', version: next, base, changes: told });
  };

  const connectOrFallBack = () => {
    if (Date.now() < fallbackUntil) return scheduleFallback();
    if (socket === null && !isConnecting && timer === undefined) void connect();
  };

  const connect = async () => {
    isConnecting = true;
    const token = await getAccessToken();
    if (isClosed || latex === null) {
      isConnecting = false;
      return;
    }
    const address = new URL(apiUrl('/compile-session'), location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const made = new WebSocket(address, compileSessionProtocol);
    made.binaryType = 'arraybuffer';
    socket = made;
    announced = null;
    let hasOpened = false;
    made.onopen = () => {
      if (socket !== made || latex === null) return made.close();
      hasOpened = true;
      openedFor = token === null ? null : (getSessionState().user?.id ?? null);
      isConnecting = false;
      failures = 0;
      send({
        type: 'open',
        version: remember(latex),
        latex,
        figures,
        ...(engine === undefined ? {} : { engine }),
        ...(token === null ? {} : { token }),
      });
    };
    made.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (socket === made) take(data);
    };
    made.onclose = ({ code }) => {
      if (socket !== made) return;
      socket = null;
      isConnecting = false;
      dropSearches();
      handleClose(code, hasOpened);
    };
  };

  const handleClose = (code: number, hasOpened: boolean) => {
    if (isClosed || latex === null) return;
    // the next edit opens it again
    if (code === sessionCloseCodes.idle || code === sessionCloseCodes.unauthorized) return;
    if (!hasOpened) failures++;
    if (code === sessionCloseCodes.full || failures >= triesBeforeFallback) {
      failures = 0;
      fallbackUntil = Date.now() + fallbackMs;
      if (state.status === 'working' || state.status === 'waiting') scheduleFallback();
      return;
    }
    const delayMs = reconnectDelaysMs[Math.min(failures, reconnectDelaysMs.length - 1)];
    timer = setTimeout(() => {
      timer = undefined;
      if (socket === null && !isConnecting) void connect();
    }, delayMs);
  };

  const take = (data: string | ArrayBuffer) => {
    if (typeof data !== 'string') {
      const head = announced;
      announced = null;
      if (head) show(head, new Uint8Array(data));
      return;
    }
    const parsed = SessionAnswer.safeParse(JSON.parse(data));
    if (!parsed.success) return;
    const answer = parsed.data;
    switch (answer.type) {
      case 'pages':
        announced = answer;
        return;
      case 'result':
        if (answer.has_pdf) announced = answer;
        else show(answer, null);
        return;
      case 'resync':
        if (latex !== null) send({ type: 'replace', version: remember(latex), latex });
        return;
      case 'problem': {
        const error: ErrorObject = { code: answer.code, error: answer.message, source: 'user' };
        void noticeRefusal(error, { Authorization: '' });
        return put({ status: 'waiting', problem: describeError(error) });
      }
      case 'location':
      case 'source_position':
        searches.find(({ type }) => type === answer.type)?.resolve(answer);
        return;
      case 'superseded':
        if (answer.version !== version) texts.delete(answer.version);
        return;
      default:
        return;
    }
  };

  const show = (
    head: Extract<SessionAnswer, { type: 'pages' | 'result' }>,
    bytes: Uint8Array<ArrayBuffer> | null,
  ) => {
    const text = texts.get(head.version);
    if (text === undefined) return;
    if (head.type === 'pages') {
      if (bytes && head.version > pdfVersion)
        put({ pages: { bytes, firstPage: head.first_page, lastPage: head.last_page } });
      return;
    }
    const changed: Partial<LiveState> = {};
    if (bytes && head.version >= pdfVersion) {
      pdfVersion = head.version;
      changed.pdf = { bytes, latex: text, isFinal: head.final };
      changed.pages = null;
    }
    if (head.final && head.version >= reportVersion) {
      reportVersion = head.version;
      changed.report = { latex: text, isGood: head.ok, messages: head.messages };
      // pages of a text that does not compile are not to stay
      if (!head.ok) changed.pages = null;
      if (text === latex) {
        const code = head.error?.code;
        const isOutOfTime = code === 'COMPILATION_TIMEOUT';
        changed.status = head.ok ? 'shown' : 'failed';
        changed.problem = isOutOfTime && head.error ? describeError(head.error) : null;
      }
      for (const known of texts.keys()) if (known < head.version) texts.delete(known);
    }
    put(changed);
  };

  const scheduleFallback = () => {
    clearTimeout(timer);
    fallbackCall?.abort();
    timer = setTimeout(() => {
      timer = undefined;
      void compileByCall();
    }, pauseMs);
  };

  const compileByCall = async () => {
    const text = latex;
    if (text === null) return;
    const call = new AbortController();
    fallbackCall = call;
    const json = { latex: text, return_pdf: true, source: 'user', figures, engine };
    const answer = await callBlob('/compile', 'application/pdf', { json, signal: call.signal }).catch(
      () => null,
    );
    if (answer === null || isClosed || call.signal.aborted) return;
    const known = version;
    texts.set(known, text);
    const head = { type: 'result' as const, version: known, page_count: 0, final: true };
    if (answer.ok) {
      const bytes = new Uint8Array(await answer.data.arrayBuffer());
      return show({ ...head, ok: true, messages: [], has_pdf: true }, bytes);
    }
    const { error } = answer;
    if (error === networkError) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        connectOrFallBack();
      }, retryMs);
    }
    if (error.code !== 'COMPILATION_FAILED' && error.code !== 'COMPILATION_TIMEOUT')
      return put({ status: 'waiting', problem: describeError(error) });
    show({ ...head, ok: false, messages: error.messages ?? [], has_pdf: false, error }, null);
  };

  const ask = async (request: Search, type: SearchAnswer['type']): Promise<SearchAnswer | null> => {
    if (!isOpen()) return null;
    return new Promise((resolve) => {
      const entry = { type, resolve: (answer: SearchAnswer | null) => settle(answer) };
      const patience = setTimeout(() => settle(null), searchPatienceMs);
      const settle = (answer: SearchAnswer | null) => {
        clearTimeout(patience);
        const place = searches.indexOf(entry);
        if (place >= 0) searches.splice(place, 1);
        resolve(answer);
      };
      searches.push(entry);
      send(request);
    });
  };
  const dropSearches = () => {
    for (const { resolve } of [...searches]) resolve(null);
  };

  const handleOffline = () => {
    if (latex !== null && state.status === 'working') put({ status: 'waiting', problem: offlineProblem });
  };
  /** What was sent before may have gone nowhere, and a socket may not know yet that it is dead: begun anew. */
  const handleOnline = () => {
    if (isClosed || latex === null) return;
    clearTimeout(timer);
    timer = undefined;
    failures = 0;
    fallbackUntil = 0;
    const before = socket;
    socket = null;
    isConnecting = false;
    dropSearches();
    before?.close(1000);
    // what is up to date stays so; the next edit opens it again
    if (state.status !== 'waiting' && state.status !== 'working') return;
    put({ status: 'working', problem: null });
    connectOrFallBack();
  };
  addEventListener('offline', handleOffline);
  addEventListener('online', handleOnline);

  const stopListening = onSessionEvent((event, user) => {
    // another person, or nobody: whose session it is is said when it opens
    if ((user?.id ?? null) !== openedFor) return isOpen() ? socket?.close(1000) : undefined;
    if (event !== 'TOKEN_REFRESHED') return;
    void getAccessToken().then((token) => {
      if (token !== null && isOpen()) send({ type: 'token', token });
    });
  });

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    update,
    async locate({ line, column, nearPage }) {
      const request: Search = { type: 'locate', version, line, column, near_page: nearPage };
      const answer = await ask(request, 'location');
      return answer?.type === 'location' ? answer.place : null;
    },
    async findLine(point) {
      const answer = await ask({ type: 'source', version, ...point }, 'source_position');
      return answer?.type === 'source_position' ? answer.line : null;
    },
    close() {
      isClosed = true;
      stopListening();
      removeEventListener('offline', handleOffline);
      removeEventListener('online', handleOnline);
      clearTimeout(timer);
      fallbackCall?.abort();
      dropSearches();
      const open = socket;
      socket = null;
      open?.close(1000);
    },
  };
}

/** The editor's changes where they make the one text of the other, else the one stretch that differs. */
function chooseChanges(before: string, after: string, changes: TextChange[] | undefined): TextChange[] {
  const length = changes?.reduce(
    (sum, { from, to, insert }) => sum + insert.length - (to - from),
    before.length,
  );
  if (changes && changes.length <= maxChangesPerEdit && length === after.length) return changes;
  const { start, fromEnd, toEnd } = findDifference(before, after);
  return [{ from: start, to: fromEnd, insert: after.slice(start, toEnd) }];
}
