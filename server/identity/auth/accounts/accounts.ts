/**
 * Accounts as operators and owners manage them, over columns that both backends have. On an external Supabase, accounts
 * are created as its own server does: the user, its identity, and empty strings where that server expects no null.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Database } from '../../../database/database.ts';
import type { AccountSummary, Accounts, SessionSummary } from '../../identity.ts';
import type { Transaction } from '../core.ts';
import { EmailField } from '../requests.ts';
import { refuseByRules } from '../sign-up-rules.ts';
import { createSignUpToken } from '../tokens/one-time-tokens.ts';
import { describeEmailIdentity } from './email-identity.ts';
import { checkNewPassword, type Passwords } from './passwords.ts';

interface AccountsDeps {
  db: Database;
  passwords: Passwords;
  backend: 'embedded' | 'supabase';
}

interface AccountRow extends Record<string, unknown> {
  id: string;
  email: string | null;
  createdAt: Date | string;
  confirmedAt: Date | string | null;
  lastSignInAt: Date | string | null;
  bannedUntil: Date | string | null;
  providers: string[];
}

const accountColumns = sql`
  u.id, u.email, u.created_at AS "createdAt", u.email_confirmed_at AS "confirmedAt",
  u.last_sign_in_at AS "lastSignInAt",
  CASE WHEN u.banned_until = 'infinity' THEN '9999-12-31T00:00:00Z'::timestamptz ELSE u.banned_until END AS "bannedUntil",
  array(SELECT i.provider::text FROM auth.identities i WHERE i.user_id = u.id ORDER BY i.created_at) AS providers`;

/** Means “permanently”: PostgreSQL's infinity has no counterpart in JavaScript. */
const forGood = new Date('9999-12-31T00:00:00Z');

export function createAccounts({ db, passwords, backend }: AccountsDeps): Accounts {
  async function findWhere(condition: ReturnType<typeof sql>): Promise<AccountSummary | null> {
    const { rows } = await db.execute<AccountRow>(
      sql`SELECT ${accountColumns} FROM auth.users u WHERE ${condition} AND u.deleted_at IS NULL`,
    );
    return rows[0] ? present(rows[0]) : null;
  }
  const findById = async (id: string) => (isUuid(id) ? findWhere(sql`u.id = ${id}`) : null);

  return {
    findById,
    findByEmail: (email) => findWhere(sql`lower(u.email) = ${email.trim().toLowerCase()}`),

    async list({ limit, offset }) {
      const { rows } = await db.execute<AccountRow>(
        sql`SELECT ${accountColumns} FROM auth.users u WHERE u.deleted_at IS NULL
            ORDER BY u.created_at, u.id LIMIT ${limit} OFFSET ${offset}`,
      );
      return rows.map(present);
    },

    async create({ email: given, password, isConfirmed }) {
      const parsed = EmailField.safeParse(given);
      if (!parsed.success) throw new Error('That is not an e-mail address.');
      const email = parsed.data;
      await checkNewPassword(password);
      await refuseByRules(db, { email, provider: 'email', metadata: {} });
      // Supabase's own server can read argon2id in this form too
      const hash = await passwords.hash(password, { network: 'the operator' });
      const id = await db.transaction((tx) => insertUser(tx, { email, hash, isConfirmed, backend }));
      if (id === null) throw new Error('There is already an account with this address.');
      return (await findById(id)) as AccountSummary;
    },

    async confirm(id) {
      return db.transaction(async (tx) => {
        await tx.execute(sql`SELECT FROM auth.users WHERE id = ${id} FOR NO KEY UPDATE`);
        const { rows } =
          backend === 'embedded'
            ? await tx.execute(
                sql`DELETE FROM auth.one_time_tokens WHERE user_id = ${id} AND token_type = 'signup' RETURNING id`,
              )
            : { rows: [] };
        // no link has been followed, so it is unknown which of several passwords is the owner's
        const isAmbiguous = rows.length > 1;
        await tx.execute(
          sql`UPDATE auth.users SET email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = now()
                ${isAmbiguous ? sql`, encrypted_password = NULL` : sql``}
              WHERE id = ${id}`,
        );
        return { keepsPassword: !isAmbiguous };
      });
    },

    async ban(id, until) {
      await db.transaction(async (tx) => {
        // lock the row first: a concurrent sign-in either sees the ban or loses its session below
        await tx.execute(
          sql`UPDATE auth.users SET banned_until = ${(until ?? forGood).toISOString()}, updated_at = now() WHERE id = ${id}`,
        );
        await tx.execute(sql`DELETE FROM auth.sessions WHERE user_id = ${id}`);
      });
    },

    async unban(id) {
      await db.execute(sql`UPDATE auth.users SET banned_until = NULL, updated_at = now() WHERE id = ${id}`);
    },

    async removeFactors(id) {
      return db.transaction(async (tx) => {
        await tx.execute(sql`SELECT FROM auth.users WHERE id = ${id} FOR NO KEY UPDATE`);
        const { rows } = await tx.execute<{ status: string }>(
          sql`DELETE FROM auth.mfa_factors WHERE user_id = ${id} RETURNING status::text`,
        );
        await tx.execute(sql`DELETE FROM auth.sessions WHERE user_id = ${id}`);
        if (backend === 'embedded')
          await tx.execute(sql`DELETE FROM auth.recovery_codes WHERE user_id = ${id}`);
        return rows.filter(({ status }) => status === 'verified').length;
      });
    },

    async remove(id) {
      await db.execute(sql`DELETE FROM auth.users WHERE id = ${id}`);
    },

    async listSessions(userId) {
      const { rows } = await db.execute<SessionRow>(
        sql`SELECT id, created_at AS "createdAt", refreshed_at AS "refreshedAt", user_agent AS "userAgent"
              FROM auth.sessions WHERE user_id = ${userId} AND (not_after IS NULL OR not_after > now())
             ORDER BY coalesce(refreshed_at, created_at) DESC, id`,
      );
      return rows.map(
        (row): SessionSummary => ({
          id: row.id,
          createdAt: new Date(row.createdAt),
          refreshedAt: toDate(row.refreshedAt),
          userAgent: row.userAgent,
        }),
      );
    },

    async endSession(userId, sessionId) {
      if (!isUuid(sessionId)) return;
      await db.execute(sql`DELETE FROM auth.sessions WHERE id = ${sessionId} AND user_id = ${userId}`);
    },
  };
}

interface SessionRow extends Record<string, unknown> {
  id: string;
  createdAt: Date | string;
  refreshedAt: Date | string | null;
  userAgent: string | null;
}

interface NewUser {
  email: string;
  hash: string;
  isConfirmed: boolean;
  backend: 'embedded' | 'supabase';
}

/** Returns null when the address is taken. */
async function insertUser(
  tx: Transaction,
  { email, hash, isConfirmed, backend }: NewUser,
): Promise<string | null> {
  const id = randomUUID();
  const identity = { ...describeEmailIdentity(id, email), email_verified: isConfirmed };
  const { rows: taken } = await tx.execute(sql`SELECT FROM auth.users WHERE lower(email) = ${email}`);
  if (taken.length > 0) return null;
  // Supabase's server reads these columns into non-nullable strings
  const [columns, values] =
    backend === 'supabase'
      ? [
          sql`, instance_id, confirmation_token, recovery_token, email_change_token_new, email_change`,
          sql`, '00000000-0000-0000-0000-000000000000', '', '', '', ''`,
        ]
      : [sql``, sql``];
  const { rows } = await tx.execute(
    sql`INSERT INTO auth.users (id, aud, role, email, encrypted_password, email_confirmed_at,
          raw_app_meta_data, raw_user_meta_data, created_at, updated_at${columns})
        VALUES (${id}, 'authenticated', 'authenticated', ${email}, ${hash}, ${isConfirmed ? sql`now()` : null},
          '{"provider": "email", "providers": ["email"]}', ${JSON.stringify(identity)}::jsonb, now(), now()${values})
        ON CONFLICT DO NOTHING RETURNING id`,
  );
  if (rows.length === 0) return null;
  await tx.execute(
    sql`INSERT INTO auth.identities (id, provider_id, user_id, identity_data, provider, created_at, updated_at)
        VALUES (${randomUUID()}, ${id}, ${id}, ${JSON.stringify(identity)}::jsonb, 'email', now(), now())`,
  );
  // counts as an ordinary sign-up; its link is sent on request
  if (backend === 'embedded' && !isConfirmed)
    await createSignUpToken(tx, {
      userId: id,
      address: email,
      choice: { passwordHash: hash, userMetaData: identity },
    });
  return id;
}

const toDate = (value: Date | string | null): Date | null => (value === null ? null : new Date(value));
const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

function present(row: AccountRow): AccountSummary {
  return {
    id: row.id,
    email: row.email ?? '',
    createdAt: new Date(row.createdAt),
    confirmedAt: toDate(row.confirmedAt),
    lastSignInAt: toDate(row.lastSignInAt),
    bannedUntil: toDate(row.bannedUntil),
    providers: row.providers,
  };
}
