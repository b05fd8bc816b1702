/** Wires the HTTP side: what runs before every route, then the routes. Never listens. */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Env } from '#platform/env.ts';
import type { Outages } from '#platform/outages.ts';
import type { StrokeReader } from '#reading/index.ts';
import { registerAccount } from '#server/account/index.ts';
import { registerApiDocs } from '#server/api-docs/index.ts';
import {
  type Assistant,
  registerAssistantRoutes,
  registerConversationRoutes,
  type TurnRunner,
} from '#server/assistant/index.ts';
import {
  type ConversionRouteDeps,
  findDelivered,
  redrawPicture,
  registerConversionRoutes,
} from '#server/conversion/index.ts';
import { registerPaymentEvents, registerPayments } from '#server/credits/index.ts';
import { createDeletionNotice, type Identity } from '#server/identity/index.ts';
import { registerInkRoute } from '#server/ink/index.ts';
import { type Exchanger, registerLibrary } from '#server/library/index.ts';
import type { Typesetter } from '#typesetting/index.ts';
import { registerCompileSessionRoute, registerTypesettingRoutes } from './compile/index.ts';
import { registerCountryRoute } from './country/country-route.ts';
import { declareAll } from './http/access.ts';
import { answerError, notFound, refuseInvalid } from './http/answer/answer-errors.ts';
import { securityHeaders } from './http/answer/security-headers.ts';
import { type ReadinessChecks, registerHealthRoutes } from './http/health-routes.ts';
import { limitJsonBodies } from './http/request/body-limit.ts';
import { provideIdentification } from './http/request/identify-caller.ts';
import { ownOriginsOnly } from './http/request/origins.ts';
import { requestContext } from './http/request/request-context.ts';
import { registerBlog } from './http/site/blog-addresses.ts';
import { registerConfigRoute } from './http/site/config-route.ts';
import { registerSite } from './http/site/static-site.ts';
import type { AppEnv } from './http/types.ts';
import { describeInboxAddress, registerInbox } from './mail/inbox-routes.ts';
import type { Mailer } from './mail/mailer.ts';

export interface AppDeps {
  env: Env;
  logger: Logger;
  metrics: Registry;
  /** Told when the payment service cannot be used. */
  outages: Outages;
  /** Signs visitor cookies. */
  secretKey: string;
  /** Earlier secret keys: cookies signed with them still identify a visitor. */
  formerSecretKeys?: readonly string[];
  identity: Identity;
  typesetter: Typesetter;
  assistant: Assistant;
  /** Runs the conversations about documents. */
  turns: TurnRunner;
  /** Reads what people draw; null without the weights. */
  strokeReader: StrokeReader | null;
  /** Imports documents and exports them to other formats. */
  exchanger: Exchanger;
  /** Mails people about changes to their account. */
  mailer: Mailer;
  /** What conversions need from database, storage and notifications (`createConversions`). */
  conversions: ConversionRouteDeps;
  readiness: ReadinessChecks;
  /** The built website; default build/client. */
  clientFolder?: string;
}

export function createApp(deps: AppDeps): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid });
  const answer = (error: Error, c: Context<AppEnv>) => answerError(error, c, deps.env.SUPPORT_EMAIL);
  app.onError(answer);
  app.notFound((c) => answer(notFound(), c));

  app.use(requestContext(deps.logger, deps.metrics), securityHeaders(deps.env));
  const payments = { ...deps, db: deps.conversions.db };
  registerPaymentEvents(app, payments);
  app.use('/api/*', ownOriginsOnly(deps.env));

  registerHealthRoutes(app, deps);
  registerConfigRoute(app, { ...deps, inboxAddress: describeInboxAddress(deps.env) });
  registerCountryRoute(app, deps);

  app.use('/api/*', provideIdentification(deps), limitJsonBodies());
  registerConversionRoutes(app, deps.conversions);
  registerTypesettingRoutes(app, deps);
  registerCompileSessionRoute(app);
  registerInkRoute(app, { reader: deps.strokeReader });
  registerAssistantRoutes(app, { assistant: deps.assistant, db: deps.conversions.db });
  registerConversationRoutes(app, { turns: deps.turns, db: deps.conversions.db });
  registerLibrary(app, {
    db: deps.conversions.db,
    storage: deps.conversions.storage,
    redrawPicture,
    findDelivered: (id, owners) => findDelivered(deps.conversions, id, owners),
    typesetter: deps.typesetter,
    exchanger: deps.exchanger,
  });
  registerPayments(app, payments);
  registerAccount(app, {
    ...deps,
    db: deps.conversions.db,
    storage: deps.conversions.storage,
    accounts: deps.identity.accounts,
    sendNotice: createDeletionNotice(deps.env, deps.mailer),
  });
  registerApiDocs(app);

  // speaks its own protocol and checks access itself
  declareAll(app, 'own-rule', () => deps.identity.registerRoutes(app));
  declareAll(app, 'own-rule', () => registerInbox(app, deps));
  registerBlog(app, deps);
  registerSite(app, deps);
  return app;
}
