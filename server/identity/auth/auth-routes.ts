/** /auth/v1: the middleware that every route shares, then the routes. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { AppEnv } from '#server/http/types.ts';
import { answerAuthError, apiVersionHeader, authError } from './auth-error.ts';
import type { AuthCore } from './core.ts';
import { answerCors } from './cors.ts';
import { registerGoogleRoutes } from './google/google-routes.ts';
import { registerIdentityRoutes } from './google/identity-routes.ts';
import { maxBodyBytes } from './requests.ts';
import { registerMailRoutes } from './routes/mail-routes.ts';
import { registerNotOffered } from './routes/not-offered.ts';
import { registerPublicRoutes } from './routes/public-routes.ts';
import { registerSignUp } from './routes/sign-up-route.ts';
import { registerToken } from './routes/token-route.ts';
import { registerUserRoutes } from './routes/user-routes.ts';
import { registerVerify } from './routes/verify-route.ts';
import { registerFactorRoutes } from './totp/factor-routes.ts';
import { registerRecoveryCodes } from './totp/recovery-codes.ts';

export function registerAuthRoutes(app: OpenAPIHono<AppEnv>, core: AuthCore): void {
  const routes = new Hono<AppEnv>();
  routes.onError(answerAuthError);
  routes.use(answerCors(core.env));
  routes.use(async (c, next) => {
    await next();
    c.header(...apiVersionHeader);
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
  });
  routes.use(
    bodyLimit({
      maxSize: maxBodyBytes,
      onError: () => {
        throw authError(413, 'validation_failed', 'The request is larger than this call accepts.');
      },
    }),
  );
  registerPublicRoutes(routes, core);
  registerSignUp(routes, core);
  registerToken(routes, core);
  registerVerify(routes, core);
  registerMailRoutes(routes, core);
  registerNotOffered(routes);
  registerUserRoutes(routes, core);
  registerIdentityRoutes(routes, core);
  registerFactorRoutes(routes, core);
  registerRecoveryCodes(routes, core);
  registerGoogleRoutes(routes, core);
  routes.all('*', (c) =>
    answerAuthError(authError(404, 'validation_failed', 'There is nothing at this address.'), c),
  );
  app.route('/auth/v1', routes);
}
