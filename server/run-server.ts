/**
 * One server process, from settings to the last closed connection. Parts are opened in order; each registers
 * how it is closed, and they are closed in reverse.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { findOllamaModel, offerOllama } from '#platform/ai/find-ollama.ts';
import { callLimitMs, openModel } from '#platform/ai/open-model.ts';
import { VendorGate } from '#platform/ai/vendor-gate.ts';
import { checkRoom, loadSecretKeys, prepareDataDir, provideWorkDir } from '#platform/data-dir.ts';
import { type Env, parseEnv } from '#platform/env.ts';
import { openLogger } from '#platform/logging/logger.ts';
import { createMetrics } from '#platform/metrics.ts';
import { describeMemory, limitMemory } from '#platform/work/memory.ts';
import { openStrokeReader } from '#reading/index.ts';
import { startDeletionSweeper } from '#server/account/index.ts';
import { createAssistant, createRepairer, createTurnRunner } from '#server/assistant/index.ts';
import { createConversions, openStations, redrawPicture } from '#server/conversion/index.ts';
import { startPaymentSweeper, startReservationSweeper } from '#server/credits/index.ts';
import { createDeletionNotice, createIdentity } from '#server/identity/index.ts';
import {
  createExchanger,
  isDocumentThere,
  startDocumentCompiler,
  startDocumentIndexer,
  startFileCleaner,
  startLibrarySweeper,
} from '#server/library/index.ts';
import { createTypesetter } from '#typesetting/index.ts';
import { createApp } from './app.ts';
import { attachCompileSessions, createAskCaller } from './compile/index.ts';
import { openDatabase } from './database/database.ts';
import { giveMemoryBack } from './give-memory-back.ts';
import { createMailer } from './mail/create-mailer.ts';
import { describeInboxAddress } from './mail/inbox-routes.ts';
import { createOutages } from './mail/tell-outages.ts';
import { openStorage } from './storage/open-storage.ts';

/**
 * How long a stopping server waits for its work before it exits anyway; supervisors commonly kill after 30 s or
 * more.
 */
const shutdownLimitMs = 25_000;

export interface RunningServer {
  /** Its public address (PUBLIC_URL); null without the web role. */
  address: string | null;
  /** Where it listens, e.g. `http://127.0.0.1:3000`; null without the web role. */
  listensAt: string | null;
  /**
   * Where mails can be read without a mail server; null if there is a mail server or nobody may look
   * (`describeInboxAddress`).
   */
  inboxAddress: string | null;
  /** It reads pages, and no model helps. */
  isReadingLocally: boolean;
  logger: Logger;
  /** Stops listening, releases work, closes everything. Safe to call twice. */
  close(): Promise<void>;
}

interface StartOptions {
  /** Where log lines go in addition to the file. Default: stdout. */
  logOutput?: { write(line: string): void };
}

/** Starts the roles named in `env`. @throws Error with a sentence for the operator. */
export async function startServer(given: Env, options: StartOptions = {}): Promise<RunningServer> {
  const closers: (() => Promise<void> | void)[] = [];
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= (async () => {
      for (const closer of closers.toReversed()) await closer();
    })();
    return closing;
  };
  try {
    const parts = await openParts(given, options, closers);
    return { ...parts, close };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

async function openParts(
  given: Env,
  options: StartOptions,
  closers: (() => Promise<void> | void)[],
): Promise<Omit<RunningServer, 'close'>> {
  await prepareDataDir(given.DATA_DIR);
  const { logger, keepClean, close: closeLogger } = openLogger(given, { output: options.logOutput });
  closers.push(closeLogger);
  closers.push(giveMemoryBack());
  logger.info(describeMemory(limitMemory(given.MEMORY_LIMIT)), 'memory that may be used');

  // listen first: with PORT=0 the system chooses the port, which addresses are made from
  const server = given.ROLES.includes('web') ? await listen(given) : null;
  const env = server ? withPort(given, (server.address() as AddressInfo).port) : given;
  const app = Promise.withResolvers<RequestListener>();
  if (server) {
    // requests that arrive while the database starts wait for it
    server.on(
      'request',
      (incoming, outgoing) => void app.promise.then((answer) => answer(incoming, outgoing)),
    );
    closers.push(() => stopListening(server));
  }

  const metrics = createMetrics();
  const outages = createOutages({
    logger,
    registry: metrics,
    to: env.SUPPORT_EMAIL,
    send: (mail) => mailer.send(mail),
  });
  // parts that only read settings come first: a wrong setting then ends the start before a database is begun
  const mailer = createMailer(env, { logger, outages });
  closers.push(() => mailer.close());
  const storage = openStorage(env, outages);
  const vendor = new VendorGate(outages);
  const database = await openDatabase(env, { onNotice: (notice) => logger.warn(notice), outages });
  closers.push(() => database.close());
  if (database.logFolder) keepClean(database.logFolder);
  const typesetter = await createTypesetter({
    concurrency: env.COMPILE_CONCURRENCY,
    logger,
    metrics,
    workDir: await provideWorkDir(),
    strategies: env.TYPESETTER === 'auto' ? undefined : [env.TYPESETTER],
  });
  closers.push(() => typesetter.close());

  const conversions = await createConversions({
    env,
    db: database.db,
    databaseUrl: database.url,
    storage,
    logger,
    registry: metrics,
  });
  closers.push(() => conversions.close());
  if (env.ROLES.includes('worker')) {
    const stations = openStations({
      env,
      typesetter,
      repairer: createRepairer(env, { gate: vendor, timeoutMs: callLimitMs(env) }),
      gate: vendor,
      logger,
    });
    closers.push(() => stations.close());
    const worker = conversions.startWorker(stations);
    closers.push(() => worker.stop());
    const compiler = startDocumentCompiler({
      db: database.db,
      storage,
      typesetter,
      drawFirstPage: (path, signal) => stations.preparer.preview({ kind: 'pdf', path, index: 0 }, signal),
      logger,
    });
    closers.push(() => compiler.stop());
    const indexer = startDocumentIndexer({ db: database.db, logger });
    closers.push(() => indexer.stop());
  }

  if (server) {
    const secretKeys = await loadSecretKeys(env);
    const secretKey = secretKeys.present;
    const { pool, db } = database;
    const identity = await createIdentity({ env, pool, db, secretKeys, logger, metrics, mailer });
    closers.push(() => identity.close());
    identity.attachRealtime(server);
    const deletions = startDeletionSweeper({
      db,
      storage,
      accounts: identity.accounts,
      sendNotice: createDeletionNotice(env, mailer),
      logger,
    });
    closers.push(() => deletions.stop());
    const reservations = startReservationSweeper({ db, logger });
    closers.push(() => reservations.stop());
    const payments = startPaymentSweeper({ env, db, secretKey, logger, outages });
    closers.push(() => payments.stop());
    const library = startLibrarySweeper({ db, storage, logger });
    closers.push(() => library.stop());
    const cleaner = startFileCleaner({ db, storage, redrawPicture, logger });
    closers.push(() => cleaner.stop());
    const exchanger = createExchanger();
    closers.push(() => exchanger.close());
    const strokeReader = openStrokeReader();
    closers.push(() => strokeReader?.close());
    const model = openModel(env);
    const turns = createTurnRunner({
      db,
      storage,
      typesetter,
      model,
      gate: vendor,
      timeoutMs: callLimitMs(env),
      logger,
    });
    closers.push(() => turns.close());
    const { fetch } = createApp({
      env,
      logger,
      metrics,
      secretKey,
      outages,
      formerSecretKeys: secretKeys.former,
      identity,
      mailer,
      typesetter,
      assistant: createAssistant({ model, gate: vendor, typesetter, timeoutMs: callLimitMs(env) }),
      turns,
      exchanger,
      strokeReader,
      conversions: conversions.routeDeps,
      readiness: {
        database: () => database.db.execute(sql`SELECT 1`),
        storage: () => storage.check(),
        data_folder: () => checkRoom(env.DATA_DIR),
        sandbox: async () => {
          if (typesetter.refusal !== null) throw new Error(typesetter.refusal);
        },
      },
    });
    const sessions = attachCompileSessions(server, {
      env,
      typesetter,
      logger,
      metrics,
      askCaller: createAskCaller(fetch),
      isDocumentThere: (userId, id) => isDocumentThere(database.db, userId, id),
    });
    closers.push(() => sessions.close());
    app.resolve(getRequestListener(fetch));
    // runs first when closing: nothing new comes in, and streams end by themselves
    closers.push(() => {
      conversions.endStreams();
      identity.endStreams();
      sessions.endStreams();
      turns.endStreams();
      return stopListening(server);
    });
  }
  logger.info({ roles: env.ROLES }, 'started');
  const isReadingLocally = env.ROLES.includes('worker') && !env.hasVisionModel;
  if (!server) return { logger, address: null, listensAt: null, inboxAddress: null, isReadingLocally };
  const { address, family, port } = server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  return {
    logger,
    address: env.PUBLIC_URL,
    listensAt: `http://${host}:${port}`,
    inboxAddress: describeInboxAddress(env),
    isReadingLocally,
  };
}

function listen(env: Env): Promise<Server> {
  // a slow upload is allowed (1 byte/s); idle sockets and headers are bounded instead
  const server = createServer({ requestTimeout: 0, headersTimeout: 30_000, keepAliveTimeout: 65_000 });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? 'another program listens there; set PORT to a free one'
          : (error.code ?? error.message);
      reject(new Error(`Inkproof cannot listen on ${env.HOST}, port ${env.PORT}: ${reason}.`));
    });
    server.listen(env.PORT, env.HOST, () => resolve(server));
  });
}

/** With PORT=0 and no PUBLIC_URL, addresses use the port that the system chose. */
function withPort(env: Env, port: number): Env {
  if (env.PORT !== 0) return env;
  const replacePort = (address: string) =>
    address === 'http://localhost:0' ? `http://localhost:${port}` : address;
  return { ...env, PORT: port, PUBLIC_URL: replacePort(env.PUBLIC_URL), API_URL: replacePort(env.API_URL) };
}

/**
 * Refuses new connections and closes idle ones; running requests get a while, then their connections are closed
 * too.
 */
async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), 5_000);
  await closed;
  clearTimeout(timer);
}

/** Runs until SIGTERM or SIGINT, then ends the process. Prints the address on its own line. */
export async function runServer(source: Record<string, string | undefined>): Promise<void> {
  let logger: Logger | null = null;
  let isStopping = false;

  const stop = (exitCode: number) => {
    if (isStopping) return;
    isStopping = true;
    // work that never ends must not keep the process alive
    setTimeout(() => process.exit(1), shutdownLimitMs).unref();
    const close = async () => (await starting).close();
    close().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        process.stderr.write('Inkproof did not stop cleanly.\n');
        logger?.error({ err: error }, 'did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop(0));
  process.on('SIGINT', () => stop(0));
  // Node would print the error's message, which may quote a user's document
  process.on('uncaughtException', (error) => {
    logger?.fatal({ err: error }, 'a fault that nothing handles; stopping');
    stop(1);
  });

  const starting = (async () => startServer(parseEnv(source)))();
  try {
    const server = await starting;
    logger = server.logger;
    const line = server.address
      ? `Inkproof is running: open ${server.address}`
      : 'Inkproof worker is running';
    process.stdout.write(`${line}\n`);
    if (server.inboxAddress) process.stdout.write(`Mails land at ${server.inboxAddress}\n`);
    if (server.isReadingLocally) {
      const model = await findOllamaModel();
      if (model) process.stdout.write(`${offerOllama(model)}\n`);
    }
  } catch (error) {
    process.stderr.write(`Inkproof could not start. ${(error as Error).message}\n`);
    process.exit(1);
  }
}
