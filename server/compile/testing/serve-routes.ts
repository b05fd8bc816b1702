/**
 * The typesetting routes on a real HTTP server with a real typesetter, using the product's own identification
 * of callers.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { StrategyName } from '#typesetting/engines/strategy.ts';
import { createTypesetter, type Typesetter } from '#typesetting/index.ts';
import { answerError, refuseInvalid } from '../../http/answer/answer-errors.ts';
import { provideIdentification } from '../../http/request/identify-caller.ts';
import type { AppEnv } from '../../http/types.ts';
import {
  attachCompileSessions,
  type CompileSessions,
  createAskCaller,
  registerCompileSessionRoute,
  registerTypesettingRoutes,
} from '../index.ts';
import type { CompileSessionDeps, SessionLimits } from '../session/attach-sessions.ts';

export interface ServedRoutes {
  address: string;
  typesetter: Typesetter;
  sessions: CompileSessions;
  /** Folder with the job folders. */
  workDir: string;
  close(): Promise<void>;
}

interface ServeOptions {
  sandbox?: [];
  strategies?: readonly StrategyName[];
  sessionLimits?: Partial<SessionLimits>;
  /** Valid access tokens, with their accounts' ids. */
  tokens?: ReadonlyMap<string, string>;
  isDocumentThere?: CompileSessionDeps['isDocumentThere'];
  /** Receives the log's lines; default: nobody does. */
  log?: (line: string) => void;
}

export async function serveRoutes(options: ServeOptions = {}): Promise<ServedRoutes> {
  const { sandbox, strategies, sessionLimits, tokens, log } = options;
  const home = mkdtempSync(path.join(tmpdir(), 'inkproof-routes-'));
  chmodSync(home, 0o755);
  const workDir = path.join(home, 'work');
  const typesetter = await createTypesetter({ workDir, concurrency: 2, sandbox, strategies });
  const logger = log ? pino({}, { write: log }) : pino({ level: 'silent' });
  const app = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid });
  app.onError(answerError);
  app.use(async (c, next) => {
    c.set('logger', logger);
    await next();
  });
  app.use(
    provideIdentification({
      env: { PUBLIC_URL: 'http://localhost', TRUSTED_PROXIES: 0 },
      secretKey: 'k'.repeat(32),
      identity: {
        publicSettings: { anon_key: 'anonymous' },
        async verifyToken(token) {
          const id = tokens?.get(token);
          if (id === undefined) return { ok: false, reason: 'invalid' };
          return { ok: true, user: { id, email: 'ada@example.com', sessionId: id } };
        },
      },
    }),
  );
  registerTypesettingRoutes(app, { typesetter, logger });
  registerCompileSessionRoute(app);
  const server = createServer(getRequestListener(app.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sessions = attachCompileSessions(server, {
    env: { PUBLIC_URL: address, API_URL: address },
    typesetter,
    logger,
    metrics: new Registry(),
    askCaller: createAskCaller(app.fetch),
    isDocumentThere: options.isDocumentThere,
    limits: sessionLimits,
  });
  return {
    address,
    typesetter,
    sessions,
    workDir,
    async close() {
      await sessions.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await typesetter.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
