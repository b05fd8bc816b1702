/**
 * The roles of reads from the browser, with Supabase's names: `anon` with the public key, `authenticated` with a
 * session's token. They cannot log in and own nothing; the application's role switches to them for one transaction.
 */
import pg from 'pg';

const requestRoles = ['anon', 'authenticated'] as const;

/**
 * Creates missing roles and lets `member` switch to them without otherwise having their rights.
 * @param admin a connection with the right to do so on PostgreSQL 16 or later: the embedded server's superuser
 */
export async function createRequestRoles(admin: pg.Client, member: string): Promise<void> {
  for (const role of requestRoles) {
    await createRole(admin, role);
    await admin.query(`GRANT ${role} TO ${pg.escapeIdentifier(member)} WITH INHERIT FALSE, SET TRUE`);
  }
}

/**
 * Ensures that the connected role can switch to the roles, and creates them if it may.
 * @throws Error with the two statements that an administrator has to run
 */
export async function ensureRequestRoles(client: pg.Client): Promise<void> {
  const missing = await listMissing(client);
  if (missing.length === 0) return;
  for (const { role, exists } of missing) {
    try {
      if (!exists) await createRole(client, role);
      await client.query(`GRANT ${role} TO CURRENT_USER`);
    } catch (error) {
      // any error except insufficient privilege is unexpected
      if ((error as { code?: string }).code !== '42501') throw error;
    }
  }
  const lacking = await listMissing(client);
  if (lacking.length === 0) return;
  const { rows } = await client.query<{ name: string }>('SELECT current_user AS name');
  const member = pg.escapeIdentifier(rows[0]?.name ?? '');
  const statements = lacking.map(({ role, exists }) =>
    exists ? `GRANT ${role} TO ${member};` : `CREATE ROLE ${role} NOLOGIN ROLE ${member};`,
  );
  throw new Error(
    `The PostgreSQL in DATABASE_URL lacks roles that Inkproof reads with, and its user may not create them. Run this once as an administrator: ${statements.join(' ')}`,
  );
}

async function listMissing(client: pg.Client): Promise<{ role: string; exists: boolean }[]> {
  // before PostgreSQL 16 every member may switch to a role; since then that is a separate right
  const { rows } = await client.query<{ role: string; exists: boolean; usable: boolean }>(
    `SELECT wanted.role, known.oid IS NOT NULL AS exists,
            coalesce(pg_has_role(current_user, known.oid,
              CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END), false) AS usable
       FROM unnest($1::text[]) AS wanted (role) LEFT JOIN pg_roles known ON known.rolname = wanted.role`,
    [requestRoles],
  );
  return rows.filter(({ usable }) => !usable);
}

/** Roles belong to the whole server: another database's migration may create one concurrently. */
async function createRole(client: pg.Client, role: string): Promise<void> {
  await client.query(
    `DO $$ BEGIN CREATE ROLE ${role} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
  );
}
