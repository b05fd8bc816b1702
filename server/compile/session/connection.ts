/** One socket and its document. Messages are handled one at a time, in the order received. */

import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { describeFirstIssue } from '#platform/describe-issue.ts';
import { ApiError, invalidInput } from '#platform/errors.ts';
import type { FairQueue } from '#platform/work/fair-queue.ts';
import { type SessionAnswer, SessionRequest, sessionCloseCodes } from '#shared/api/compile-session.ts';
import type { Figure } from '#shared/api/conversion.ts';
import { maxFiguresBytes, maxLatexLength } from '#shared/api/limits.ts';
import type { Typesetter } from '#typesetting/index.ts';
import { type Caller, queueOwner } from '../../http/types.ts';
import { toAssets } from '../figures.ts';
import { applyChanges } from './apply-changes.ts';
import type { AskedCaller } from './ask-caller.ts';
import { createFixer } from './fixer.ts';
import { createLiveCompiler, type DocumentState, type Outcome } from './live-compiler.ts';
import { createOutbox } from './outbox.ts';
import { createPositions } from './positions.ts';
import type { SessionMetrics } from './session-metrics.ts';

export interface ConnectionDeps {
  typesetter: Typesetter;
  /** The queue of fix trials (fixer.ts). */
  trials: FairQueue;
  logger: Logger;
  metrics: SessionMetrics;
  /** The caller identified at the handshake. */
  caller: Caller;
  /** Identifies the caller again, with a token. */
  ask(token: string): Promise<AskedCaller>;
  /** Takes a slot for this caller, returning the handshake's. False if there is none. */
  changeSlot(caller: Caller): boolean;
  /** Whether a person's saved document exists and is not in the trash. */
  isDocumentThere?(userId: string, documentId: string): Promise<boolean>;
  /** Whether sessions may hold this many more bytes. */
  hasRoomFor(bytes: number): boolean;
}

export interface Connection {
  readonly hasOpened: boolean;
  /** When the document was last changed or asked about (ms, `Date.now`). */
  readonly usedAt: number;
  /** What it holds in memory, in bytes. */
  readonly heldBytes: number;
  /** Ends its compile; resolves once nothing of it remains. */
  close(): Promise<void>;
}

/** Messages of one socket within ten seconds; a key held down sends thirty a second. */
const maxMessages = 600;
/** How long a valid token is trusted before it is checked again, in ms: sessions end, accounts are banned. */
const tokenTrustMs = 60_000;

type Edit = Extract<SessionRequest, { type: 'edit' | 'replace' | 'figures' }>;

export function createConnection(socket: WebSocket, deps: ConnectionDeps): Connection {
  const { metrics } = deps;
  const outbox = createOutbox(socket, metrics.dropped);
  const positions = createPositions();
  let document: DocumentState | null = null;
  let documentId: string | undefined;
  let wantsIncomplete = false;
  let { caller } = deps;
  let token: { text: string; askedAt: number } | null = null;
  let usedAt = Date.now();
  let receivedAt = performance.now();
  let windowStart = usedAt;
  let messageCount = 0;
  let tail: Promise<void> = Promise.resolve();
  let isClosed = false;

  const sendProblem = (error: ApiError) =>
    outbox.send({
      type: 'problem',
      code: error.code,
      message: error.message,
      ...(error.retryAfterSeconds === undefined ? {} : { retry_after: error.retryAfterSeconds }),
    });
  const end = (error: ApiError, code: number) => {
    sendProblem(error);
    socket.close(code, error.code);
  };
  const secondsSinceEdit = () => (performance.now() - receivedAt) / 1000;

  const sendOutcome = ({ version, synctex, error, ...rest }: Outcome) => {
    const pdf = error === null || wantsIncomplete ? rest.pdf : null;
    const head: SessionAnswer = {
      type: 'result',
      version,
      ok: error === null,
      page_count: pdf === null ? 0 : rest.pageCount,
      messages: rest.messages,
      has_pdf: pdf !== null,
      final: rest.hasEnded,
      ...(error ? { error: { code: error.code, error: error.message, source: error.source } } : {}),
    };
    metrics.shown(error ? 'failed' : rest.hasEnded ? 'final' : 'pass', secondsSinceEdit());
    if (pdf === null) return outbox.send(head);
    positions.show(version, synctex);
    outbox.sendPdf(head, pdf, { isInterim: !rest.hasEnded });
  };

  const compiler = createLiveCompiler({
    typesetter: deps.typesetter,
    getOwner: () => queueOwner(caller),
    isThere: async () =>
      documentId === undefined ||
      caller.kind !== 'user' ||
      ((await deps.isDocumentThere?.(caller.id, documentId)) ?? true),
    output: {
      compiling: (version) => outbox.send({ type: 'compiling', version }),
      pages(version, { pdf, firstPage, lastPage }) {
        metrics.shown('pages', secondsSinceEdit());
        const head: SessionAnswer = { type: 'pages', version, first_page: firstPage, last_page: lastPage };
        outbox.sendPdf(head, pdf, { isInterim: true });
      },
      outcome: sendOutcome,
      superseded(version) {
        metrics.superseded();
        outbox.send({ type: 'superseded', version });
      },
      stopped: (version) => outbox.send({ type: 'stopped', version }),
      problem(error) {
        if (error.code === 'UNEXPECTED') deps.logger.error({ err: error.cause }, 'a live compile failed');
        sendProblem(error);
      },
    },
  });

  const fixer = createFixer({
    typesetter: deps.typesetter,
    turns: deps.trials,
    getOwner: () => queueOwner(caller),
    answer: outbox.send,
    fail: (cause) => deps.logger.error({ err: cause }, 'fixes could not be tried'),
  });

  const take = (next: DocumentState) => {
    document = next;
    fixer.stop();
    receivedAt = performance.now();
    outbox.send({ type: 'accepted', version: next.version });
    compiler.submit(next);
  };

  /** False if the token is invalid, and the session is over. */
  const authorize = async (text: string): Promise<boolean> => {
    const identified = await deps.ask(text);
    if (isClosed) return false;
    const isSame = identified.ok && (token === null || identified.caller.id === caller.id);
    if (!identified.ok || !isSame) {
      end(identified.ok ? new ApiError('UNAUTHORIZED') : identified.error, sessionCloseCodes.unauthorized);
      return false;
    }
    if (token === null && !deps.changeSlot(identified.caller)) {
      end(tooManySessions(), sessionCloseCodes.full);
      return false;
    }
    caller = identified.caller;
    token = { text, askedAt: Date.now() };
    return true;
  };
  const isStillAuthorized = async () =>
    token === null || Date.now() - token.askedAt < tokenTrustMs || authorize(token.text);

  const requireRoom = (latex: string, figures: readonly Figure[]) => {
    const bytes = figures.reduce((sum, figure) => sum + figure.data_base64.length, latex.length * 2);
    if (!deps.hasRoomFor(bytes)) throw new ApiError('BUSY', { message: fullText, retryAfterSeconds: 30 });
  };

  const open = async (request: Extract<SessionRequest, { type: 'open' }>) => {
    if (document) throw invalidInput('This session is already open.');
    if (request.token !== undefined && !(await authorize(request.token))) return;
    const { version, latex, figures, engine } = request;
    requireRoom(latex, figures);
    documentId = request.document_id;
    wantsIncomplete = request.incomplete;
    take({ version, latex, assets: toAssets(figures), engine });
  };

  const change = async (request: Edit, { version, latex }: DocumentState) => {
    const resync = () => {
      metrics.resynced();
      outbox.send({ type: 'resync' });
    };
    if (request.version <= version) return resync();
    if (request.type === 'edit' && request.base !== version) return resync();
    if (!(await isStillAuthorized())) return;
    const current = document!;
    switch (request.type) {
      case 'figures':
        requireRoom('', request.figures);
        return take({ ...current, version: request.version, assets: toAssets(request.figures) });
      case 'replace':
        requireRoom(request.latex, []);
        return take({ ...current, version: request.version, latex: request.latex });
      case 'edit': {
        const { file } = request;
        const asset = file === undefined ? null : current.assets.find(({ name }) => name === file);
        if (asset === undefined) return resync();
        const edited = applyChanges(asset ? Buffer.from(asset.bytes).toString() : latex, request.changes);
        if (edited === null) {
          sendProblem(invalidInput('The changes do not fit the text they are based on.'));
          return resync();
        }
        if (edited.length > maxLatexLength)
          throw invalidInput(`A document has at most ${maxLatexLength} characters.`);
        if (!asset) return take({ ...current, version: request.version, latex: edited });
        const changed = { ...asset, bytes: Buffer.from(edited.toWellFormed()) };
        const assets = current.assets.map((one) => (one === asset ? changed : one));
        if (assets.reduce((sum, { bytes }) => sum + bytes.length, 0) > maxFiguresBytes)
          throw invalidInput(`The files are larger than ${maxFiguresBytes / 1_000_000} MB in total.`);
        return take({ ...current, version: request.version, assets });
      }
    }
  };

  const locate = (
    request: Extract<SessionRequest, { type: 'locate' }>,
    { version, latex, assets }: DocumentState,
  ) => {
    const { file, line, column, near_page: nearPage } = request;
    const asset = assets.find(({ name }) => name === file);
    const text = file === undefined ? latex : Buffer.from(asset?.bytes ?? []).toString();
    const lineLength = column === undefined ? undefined : text.split('\n', line)[line - 1]?.length;
    const place = positions.findPlace({
      ...(file === undefined ? {} : { file }),
      line,
      column,
      lineLength,
      nearPage,
    });
    outbox.send({ type: 'location', version: positions.version ?? version, place });
  };

  const answer = async (request: SessionRequest): Promise<void> => {
    if (isClosed) return;
    if (request.type === 'close') return socket.close(1000);
    if (request.type === 'open') return open(request);
    if (request.type === 'token') {
      if (token !== null) await authorize(request.token);
      return;
    }
    if (!document) throw invalidInput('A session must begin with “open”.');
    if (request.type === 'stop') return compiler.stop();
    if (request.type === 'locate') return locate(request, document);
    if (request.type === 'fix') {
      // a request about an older version is repeated for this one
      if (request.version === document.version && (await isStillAuthorized()))
        fixer.ask(document, request.all);
      return;
    }
    if (request.type === 'source') {
      const version = positions.version ?? document.version;
      const found = positions.findLine(request);
      const named = document.assets.some(({ name }) => name === found?.file);
      const line = found && (found.file === undefined || named) ? found.line : null;
      return outbox.send({
        type: 'source_position',
        version,
        line,
        ...(line !== null && found?.file !== undefined ? { file: found.file } : {}),
      });
    }
    return change(request, document);
  };

  socket.on('message', (data, isBinary) => {
    const now = Date.now();
    usedAt = now;
    if (now - windowStart > 10_000) {
      windowStart = now;
      messageCount = 0;
    }
    if (++messageCount > maxMessages) return socket.close(1008, 'Too many messages');
    if (isBinary) return socket.close(1003, 'Messages must be JSON');
    const request = parseRequest(String(data));
    if (!request.ok) return end(request.error, 1008);
    tail = tail
      .then(() => answer(request.value))
      .catch((error: unknown) => {
        if (error instanceof ApiError) {
          sendProblem(error);
          // without a document the session cannot continue
          if (!document) socket.close(error.code === 'BUSY' ? sessionCloseCodes.full : 1008, error.code);
          return;
        }
        deps.logger.error({ err: error }, 'a compile session could not answer');
        end(new ApiError('UNEXPECTED'), 1011);
      });
  });

  return {
    get hasOpened() {
      return document !== null;
    },
    get usedAt() {
      return usedAt;
    },
    get heldBytes() {
      const assets = document?.assets.reduce((sum, { bytes }) => sum + bytes.length, 0) ?? 0;
      return (document?.latex.length ?? 0) * 2 + assets + positions.heldBytes;
    },
    async close() {
      isClosed = true;
      await Promise.all([compiler.close(), fixer.close()]);
      document = null;
    },
  };
}

const fullText = 'Too many documents are open right now. Please try again shortly.';

function tooManySessions(): ApiError {
  return new ApiError('TOO_MANY_REQUESTS', {
    message:
      'Too many documents of yours, or from your network, are open at once. Close one to continue here.',
  });
}

function parseRequest(text: string): { ok: true; value: SessionRequest } | { ok: false; error: ApiError } {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return { ok: false, error: invalidInput('A message must be JSON.') };
  }
  const parsed = SessionRequest.safeParse(given);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, error: invalidInput(describeFirstIssue(parsed.error.issues)) };
}
