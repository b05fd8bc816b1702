import { drizzle } from 'drizzle-orm/node-postgres';
import { expect, test } from 'vitest';
import { sweepAccounts } from './sweep.ts';
import { startAuthRig } from './testing.ts';

test('expired rows are deleted, the others stay', async () => {
  const rig = await startAuthRig();
  try {
    const ada = await rig.createUser('ada@example.com');
    await rig.signUp('waiting@example.com', 'a good password');
    await rig.signUp('forgotten@example.com', 'a good password');
    await rig.sql.query(
      `UPDATE auth.users SET created_at = now() - interval '8 days', confirmation_sent_at = now() - interval '8 days'
        WHERE email <> 'waiting@example.com'`,
    );
    await rig.sql.query(
      `INSERT INTO auth.sessions (id, user_id, created_at) VALUES (gen_random_uuid(), $1, now() - interval '181 days')`,
      [ada.user.id],
    );
    await rig.sql.query(
      `INSERT INTO auth.flow_state (provider_type, authentication_method, redirect_to, created_at)
       VALUES ('google', 'oauth', 'http://localhost/', now() - interval '2 hours'), ('google', 'oauth', 'http://localhost/', now())`,
    );
    await sweepAccounts({ db: drizzle(rig.sql), keys: { tend: async () => {} } as never });
    const { rows } = await rig.sql.query('SELECT email FROM auth.users ORDER BY 1');
    expect(rows.map(({ email }) => email)).toEqual(['ada@example.com', 'waiting@example.com']);
    expect((await rig.sql.query('SELECT FROM auth.flow_state')).rowCount).toBe(1);
    expect((await rig.sql.query('SELECT FROM auth.sessions')).rowCount).toBe(1);
    expect((await rig.refresh(ada.refresh_token)).status).toBe(200);
  } finally {
    await rig.close();
  }
});
