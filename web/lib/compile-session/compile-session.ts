/**
 * The browser's end of a compile session: it takes the text as it is typed and reports what to show. It connects with
 * the first document, sends edits as changes, and after a lost connection the whole text. Where WebSockets are
 * blocked, every pause in typing is compiled by POST /compile instead: slower, and without SyncTeX lookups.
 */
import {
  compileSessionProtocol,
  SessionAnswer,
  type SessionRequest,
  sessionCloseCodes,
  type TextChange,
} from '#shared/api/compile-session.ts';
import type { Figure } from '#shared/api/conversion.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import { networkError, noticeRefusal } from '../api/api-client.ts';
import { describeError } from '../api/describe-error.ts';
import { apiUrl } from '../api-routes.ts';
import { getAccessToken } from '../session/get-client.ts';
import { getSessionState, onSessionEvent } from '../session/session-store.ts';
import { chooseChanges } from './choose-changes.ts';
import { compileByCall } from './compile-by-call.ts';
import { listFileEdits } from './file-edits.ts';
import { createFixes } from './fixes.ts';
import { createIncompletePages } from './incomplete-pages.ts';
import { type CompileSession, initialState, type LiveState, type SessionOptions } from './live-state.ts';
import { createSearches, type Search } from './searches.ts';

const reconnectDelaysMs = [300, 1_000, 2_000, 5_000, 10_000];
/** After this many failed connections in a row, none is tried for a while. */
const triesBeforeFallback = 2;
const fallbackMs = 60_000;
/** Without a session, compiling starts this long after the last keystroke. */
const pauseMs = 600;
/** How long to wait before retrying an unreachable server. */
const retryMs = 10_000;
const offlineProblem = 'Offline. The page is updated once you are back.';
/** As far as the browser knows: false does not mean that the server can be reached. */
const isOffline = () => typeof navigator !== 'undefined' && navigator.onLine === false;

export function createCompileSession({ engine, documentId }: SessionOptions = {}): CompileSession {
  let state = initialState;
  const listeners = new Set<() => void>();
  let socket: WebSocket | null = null;
  let isConnecting = false;
  let isClosed = false;
  let failures = 0;
  /** The account that the socket was opened for; null for a visitor. */
  let openedFor: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** No connection is tried before this time (ms). */
  let fallbackUntil = 0;
  let fallbackCall: AbortController | null = null;

  let latex: string | null = null;
  let figures: Figure[] = [];
  /** The version since which the files have not changed. */
  let figuresVersion = 0;
  let version = 0;
  /** Texts that results may still arrive for, by version. */
  const texts = new Map<number, string>();
  let pdfVersion = -1;
  let reportVersion = -1;
  /** The message whose PDF is the next binary message. */
  let announced: Extract<SessionAnswer, { type: 'pages' | 'result' }> | null = null;

  const put = (changed: Partial<LiveState>) => {
    state = { ...state, ...changed };
    for (const listener of [...listeners]) listener();
  };
  const isOpen = () => socket?.readyState === WebSocket.OPEN && !isConnecting;
  const send = (request: SessionRequest) => socket?.send(JSON.stringify(request));
  const searches = createSearches(send);
  const remember = (text: string) => {
    version++;
    texts.set(version, text);
    return version;
  };

  const incompletePages = createIncompletePages((incomplete) => put({ incomplete }));
  const fixes = createFixes({
    ask(request) {
      if (!isOpen()) return false;
      send(request);
      return true;
    },
    show(fix) {
      if (fix !== state.fix) put({ fix });
    },
  });

  const update = (text: string, nextFigures: Figure[], changes?: TextChange[]) => {
    if (isClosed) return;
    const before = latex;
    const hasNewFigures = nextFigures !== figures;
    if (text === before && !hasNewFigures) return;
    const edits = hasNewFigures && text === before ? listFileEdits(figures, nextFigures) : null;
    latex = text;
    figures = nextFigures;
    if (edits?.length === 0) return;
    incompletePages.edited();
    fixes.forget();
    const base = version;
    const next = remember(text);
    if (hasNewFigures) figuresVersion = next;
    if (isOffline()) return put({ status: 'waiting', problem: offlineProblem });
    put({ status: 'working', problem: null });
    if (!isOpen()) return connectOrFallBack();
    if (edits) {
      edits.forEach((edit, index) => {
        const step = index === 0 ? next : remember(text);
        send({ type: 'edit', version: step, base: index === 0 ? base : step - 1, ...edit });
      });
      figuresVersion = version;
      return;
    }
    if (hasNewFigures) {
      send({ type: 'figures', version: next, figures });
      if (text !== before) send({ type: 'replace', version: remember(text), latex: text });
      return;
    }
    const sent = before === null ? [] : chooseChanges(before, text, changes);
    send({ type: 'edit', version: next, base, changes: sent });
  };

  const connectOrFallBack = () => {
    if (Date.now() < fallbackUntil) return scheduleFallback();
    if (socket === null && !isConnecting && timer === undefined) void connect();
  };

  const connect = async () => {
    isConnecting = true;
    const token = await getAccessToken();
    if (isClosed || latex === null || state.status === 'stopped') {
      isConnecting = false;
      return;
    }
    const address = new URL(apiUrl('GET /compile-session'), location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const made = new WebSocket(address, compileSessionProtocol);
    made.binaryType = 'arraybuffer';
    socket = made;
    announced = null;
    let hasOpened = false;
    made.onopen = () => {
      if (socket !== made || latex === null) return made.close();
      if (state.status === 'stopped') return made.close(1000);
      hasOpened = true;
      openedFor = token === null ? null : (getSessionState().user?.id ?? null);
      isConnecting = false;
      failures = 0;
      send({
        type: 'open',
        version: remember(latex),
        latex,
        figures,
        incomplete: true,
        ...(engine === undefined ? {} : { engine }),
        ...(documentId === undefined ? {} : { document_id: documentId }),
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
      searches.drop();
      fixes.forget();
      handleClose(code, hasOpened);
    };
  };

  const handleClose = (code: number, hasOpened: boolean) => {
    if (isClosed || latex === null) return;
    // the next edit reopens it
    if (code === sessionCloseCodes.idle || code === sessionCloseCodes.unauthorized) return;
    if (state.status === 'stopped') return;
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
        // a stopped compile does not restart by itself
        if (latex === null || state.status === 'stopped') return;
        if (figuresVersion > 0) send({ type: 'figures', version: remember(latex), figures });
        send({ type: 'replace', version: remember(latex), latex });
        return;
      case 'problem': {
        const error: ErrorObject = { code: answer.code, error: answer.message, source: 'user' };
        void noticeRefusal(error, { Authorization: '' });
        return put({ status: 'waiting', problem: describeError(error) });
      }
      case 'location':
      case 'source_position':
        return searches.answer(answer);
      case 'stopped':
        if (answer.version === version) put({ status: 'stopped', problem: null, pages: null });
        return;
      case 'fixes':
        return fixes.take(answer);
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
      changed.pages = null;
      if (!head.ok)
        incompletePages.offer(
          {
            bytes,
            latex: text,
            pageCount: head.page_count,
            isCutShort: head.error?.code === 'COMPILATION_TIMEOUT',
          },
          state.pdf !== null,
        );
      else {
        incompletePages.drop();
        changed.pdf = { bytes, latex: text, isFinal: head.final };
        changed.incomplete = null;
      }
    }
    if (head.final && head.version >= reportVersion) {
      reportVersion = head.version;
      changed.report = { latex: text, isGood: head.ok, messages: head.messages };
      // remove the pages of a text that does not compile
      if (!head.ok) changed.pages = null;
      if (text === latex && head.version >= figuresVersion) {
        const code = head.error?.code;
        const isOutOfTime = code === 'COMPILATION_TIMEOUT';
        changed.status = head.ok ? 'shown' : 'failed';
        changed.problem = isOutOfTime && head.error ? describeError(head.error) : null;
      }
      for (const known of texts.keys()) if (known < head.version) texts.delete(known);
    }
    put(changed);
    const isNewest = head.final && head.version === version && text === latex;
    const canFix = head.messages.some(({ level }) => level !== 'badbox');
    if (isNewest) fixes.reported({ version, latex: text, canFix: canFix && isOpen() });
  };

  const stop = () => {
    if (isClosed || state.status !== 'working') return;
    clearTimeout(timer);
    timer = undefined;
    fallbackCall?.abort();
    if (isOpen()) send({ type: 'stop' });
    put({ status: 'stopped', problem: null, pages: null });
  };

  const again = () => {
    if (isClosed || latex === null || state.status !== 'stopped') return;
    put({ status: 'working', problem: null });
    if (isOpen()) send({ type: 'replace', version: remember(latex), latex });
    else connectOrFallBack();
  };

  const scheduleFallback = () => {
    clearTimeout(timer);
    fallbackCall?.abort();
    timer = setTimeout(() => {
      timer = undefined;
      void callCompile();
    }, pauseMs);
  };

  const callCompile = async () => {
    if (latex === null) return;
    fallbackCall = new AbortController();
    const known = version;
    texts.set(known, latex);
    const outcome = await compileByCall({ latex, figures, engine }, fallbackCall.signal);
    if (outcome === null || isClosed) return;
    if ('result' in outcome) return show({ ...outcome.result, version: known }, outcome.pdf);
    put({ status: 'waiting', problem: describeError(outcome.error) });
    if (outcome.error !== networkError) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      connectOrFallBack();
    }, retryMs);
  };

  const handleOffline = () => {
    if (latex !== null && state.status === 'working') put({ status: 'waiting', problem: offlineProblem });
  };
  /** Earlier messages may be lost, and a dead socket may not have noticed yet: reconnects. */
  const handleOnline = () => {
    if (isClosed || latex === null) return;
    clearTimeout(timer);
    timer = undefined;
    failures = 0;
    fallbackUntil = 0;
    const before = socket;
    socket = null;
    isConnecting = false;
    searches.drop();
    before?.close(1000);
    // an up-to-date page stays so; the next edit reopens the connection
    if (state.status !== 'waiting' && state.status !== 'working') return;
    put({ status: 'working', problem: null });
    connectOrFallBack();
  };
  addEventListener('offline', handleOffline);
  addEventListener('online', handleOnline);

  const stopListening = onSessionEvent((event, user) => {
    // another user, or nobody: the account is only sent when the session opens
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
    stop,
    again,
    async locate({ file, line, column, nearPage }) {
      const request: Search = { type: 'locate', version, file, line, column, near_page: nearPage };
      const answer = isOpen() ? await searches.ask(request) : null;
      return answer?.type === 'location' ? answer.place : null;
    },
    async findLine(point) {
      const answer = isOpen() ? await searches.ask({ type: 'source', version, ...point }) : null;
      if (answer?.type !== 'source_position' || answer.line === null) return null;
      return { line: answer.line, file: answer.file ?? null };
    },
    fixAll: fixes.all,
    close() {
      isClosed = true;
      fixes.forget();
      stopListening();
      removeEventListener('offline', handleOffline);
      removeEventListener('online', handleOnline);
      clearTimeout(timer);
      incompletePages.drop();
      fallbackCall?.abort();
      searches.drop();
      const open = socket;
      socket = null;
      open?.close(1000);
    },
  };
}
