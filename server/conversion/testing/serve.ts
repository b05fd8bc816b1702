/** The conversion routes on a real HTTP server, with a worker. Only the reader is scripted. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import { Registry } from 'prom-client';
import { createPagePreparer } from '#reading/pages/page-preparer.ts';
import { readBalance } from '#server/credits/index.ts';
import { answerError, refuseInvalid } from '#server/http/answer/answer-errors.ts';
import { provideIdentification, type TokenVerifier } from '#server/http/request/identify-caller.ts';
import type { AppEnv } from '#server/http/types.ts';
import { createTypesetter } from '#typesetting/index.ts';
import { createAccountWithCredits } from '../../../test-support/money/credits.ts';
import { createConversions, registerConversionRoutes } from '../index.ts';
import { compileOnce } from './compile-once.ts';
import { createRig, type Rig, silentLogger } from './rig.ts';
import { createScriptedTranscriber, type ScriptedTranscriber } from './scripted-transcriber.ts';

export interface Served {
  rig: Rig;
  address: string;
  transcriber: ScriptedTranscriber;
  registry: Registry;
  /** A signed-out browser with its own cookie. */
  visitor(): Visitor;
  /** A signed-in person with their own account, created at their first call. */
  user(credits?: number): User;
  /** Number of conversion followers that the server holds. */
  followers(): Promise<number>;
  close(): Promise<void>;
}

interface Visitor {
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export interface User extends Visitor {
  /** The whole Authorization header, for hand-made calls. */
  authorization(): Promise<string>;
  id(): Promise<string>;
  /** Credits they can spend. */
  credits(): Promise<number>;
}

/** Page credits for tests that are not about credits. */
const plenty = 1_000;

/** @param options.trustedProxies as the setting; without a worker, accepted conversions wait */
export async function serveConversions({ trustedProxies = 0, hasWorker = true } = {}): Promise<Served> {
  const rig = await createRig();
  const registry = new Registry();
  const workDir = await mkdtemp(path.join(os.tmpdir(), 'inkproof-work-'));
  // jobs run as separate users, who must reach their folders
  await chmod(workDir, 0o755);
  const typesetter = compileOnce(await createTypesetter({ workDir }));
  const preparer = createPagePreparer({ concurrency: 2 });
  const transcriber = createScriptedTranscriber();
  const conversions = await createConversions({
    env: { READ_CONCURRENCY: 4, COMPILE_CONCURRENCY: 2 },
    db: rig.db,
    databaseUrl: rig.database.url,
    storage: rig.storage,
    logger: silentLogger,
    registry,
  });
  const stations = { transcriber, preparer, typesetter, logger: silentLogger };
  const worker = hasWorker ? conversions.startWorker(stations) : null;

  /** Valid tokens and their accounts; verifying tokens is the identity room's job. */
  const accounts = new Map<string, string>();
  const identity: TokenVerifier = {
    publicSettings: { anon_key: 'the anonymous key' },
    async verifyToken(token) {
      const id = accounts.get(token);
      if (id === undefined) return { ok: false, reason: 'invalid' };
      return { ok: true, user: { id, email: `ada-${id}@example.com`, sessionId: id } };
    },
  };

  const app = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid });
  app.onError(answerError);
  app.use(async (c, next) => {
    c.set('logger', silentLogger);
    c.set('requestId', 'test');
    await next();
  });
  app.use(
    provideIdentification({
      env: { PUBLIC_URL: 'http://localhost', TRUSTED_PROXIES: trustedProxies },
      secretKey: 'k'.repeat(32),
      identity,
    }),
  );
  registerConversionRoutes(app, conversions.routeDeps);
  const server = createServer(getRequestListener(app.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    rig,
    address,
    transcriber,
    registry,
    visitor() {
      let cookie = '';
      return {
        async fetch(target, init = {}) {
          const headers = new Headers(init.headers);
          if (cookie) headers.set('Cookie', cookie);
          const answer = await fetch(address + target, { ...init, headers });
          const set = answer.headers.getSetCookie()[0];
          if (set) cookie = set.split(';')[0]!;
          return answer;
        },
      };
    },
    user(credits = plenty) {
      let made: Promise<string> | null = null;
      const id = () => {
        made ??= createAccountWithCredits(rig.database, { conversion: credits }).then((account) => {
          accounts.set(`token-of-${account}`, account);
          return account;
        });
        return made;
      };
      const authorization = async () => `Bearer token-of-${await id()}`;
      return {
        id,
        authorization,
        credits: async () => (await readBalance(rig.db, await id()))?.conversion ?? 0,
        async fetch(target, init = {}) {
          const headers = new Headers(init.headers);
          headers.set('Authorization', await authorization());
          return fetch(address + target, { ...init, headers });
        },
      };
    },
    async followers() {
      const metric = await registry.getSingleMetric('inkproof_conversion_followers')?.get();
      return metric?.values[0]?.value ?? 0;
    },
    async close() {
      conversions.endStreams();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await worker?.stop();
      await preparer.close();
      await typesetter.close();
      await conversions.close();
      await rm(workDir, { recursive: true, force: true });
      await rig.close();
    },
  };
}
