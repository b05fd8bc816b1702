/** Links and unlinks an account's sign-in methods. GET /user lists them. */
import { and, eq, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '#server/http/types.ts';
import { identities, users } from '../../auth-schema.ts';
import { authError } from '../auth-error.ts';
import type { AuthCore } from '../core.ts';
import { requireFullSession } from '../sessions/require-session.ts';
import { userNotFound } from '../sessions/sessions.ts';
import { lockUser } from '../users.ts';

export function registerIdentityRoutes(routes: Hono<AppEnv>, core: AuthCore): void {
  // Google is linked automatically where both have verified the same address; linking another is not offered
  routes.get('/user/identities/authorize', async (c) => {
    await requireFullSession(core, c);
    throw authError(404, 'manual_linking_disabled', 'Manual linking is disabled');
  });

  routes.delete('/user/identities/:id', async (c) => {
    const { user } = await requireFullSession(core, c);
    await core.limits.count('change', user.id);
    const id = z.uuid().safeParse(c.req.param('id'));
    if (!id.success) throw notFound();
    await core.db.transaction(async (tx) => {
      const locked = await lockUser(tx, user.id);
      if (locked === null) throw userNotFound();
      const own = await tx.select().from(identities).where(eq(identities.userId, user.id));
      const leaving = own.find((one) => one.id === id.data);
      if (!leaving) throw notFound();
      // the account must keep one sign-in method
      if (own.length < 2)
        throw authError(
          422,
          'single_identity_not_deletable',
          'User must have at least 1 identity after unlinking',
        );
      const providers = own.filter((one) => one.id !== leaving.id).map((one) => one.provider);
      await tx.delete(identities).where(and(eq(identities.id, leaving.id), eq(identities.userId, user.id)));
      await tx
        .update(users)
        .set({
          rawAppMetaData: {
            ...locked.rawAppMetaData,
            provider: providers[0],
            providers: [...new Set(providers)],
          },
          // without its identity a password is useless
          ...(leaving.provider === 'email' ? { encryptedPassword: null } : {}),
          updatedAt: sql`now()`,
        })
        .where(eq(users.id, user.id));
    });
    return c.json({});
  });
}

const notFound = () => authError(404, 'identity_not_found', 'Identity doesn’t exist');
