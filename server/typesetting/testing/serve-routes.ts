/** The typesetting routes on a real HTTP server with a real typesetter, behind the product's own error handling. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import { pino } from 'pino';
import { ApiError } from '../../platform/errors.ts';
import { answerError, refuseInvalid } from '../../platform/http/answer-errors.ts';
import type { AppEnv } from '../../platform/http/types.ts';
import { createTypesetter, registerTypesettingRoutes, type Typesetter } from '../index.ts';

export interface ServedRoutes {
  address: string;
  typesetter: Typesetter;
  /** Folder with the job folders. */
  workDir: string;
  close(): Promise<void>;
}

export async function serveRoutes(options: { sandbox?: [] } = {}): Promise<ServedRoutes> {
  const home = mkdtempSync(path.join(tmpdir(), 'inkproof-routes-'));
  chmodSync(home, 0o755);
  const workDir = path.join(home, 'work');
  const typesetter = await createTypesetter({ workDir, concurrency: 2, ...options });
  const logger = pino({ level: 'silent' });
  const app = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid });
  app.onError(answerError);
  app.use(async (c, next) => {
    c.set('logger', logger);
    c.set('identify', {
      anyCaller: async () => ({ kind: 'visitor', id: 'a visitor', turn: 'a network' }),
      signedInUser: () => Promise.reject(new ApiError('UNAUTHORIZED')),
    });
    await next();
  });
  registerTypesettingRoutes(app, { typesetter, logger });
  const server = createServer(getRequestListener(app.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    typesetter,
    workDir,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await typesetter.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
