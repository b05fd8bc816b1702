/**
 * Rules on who may sign up. They are in the database (`public.hook_before_user_created`, in the format of Supabase's
 * before-user-created hook), because with an external Supabase sign-ups never pass through this server. Sign-ups by
 * password and by provider both call it.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { authError } from './auth-error.ts';
import type { Queryable } from './core.ts';

interface Candidate {
  /** Lower case. */
  email: string;
  provider: 'email' | 'google';
  metadata: Record<string, unknown>;
}

/** @throws AuthError email_address_invalid with the rule's message */
export async function refuseByRules(db: Queryable, candidate: Candidate): Promise<void> {
  const now = new Date().toISOString();
  const event = {
    metadata: { uuid: randomUUID(), time: now, name: 'before-user-created' },
    user: {
      id: randomUUID(),
      aud: 'authenticated',
      role: 'authenticated',
      email: candidate.email,
      phone: '',
      app_metadata: { provider: candidate.provider, providers: [candidate.provider] },
      user_metadata: candidate.metadata,
      identities: [],
      created_at: now,
      updated_at: now,
      is_anonymous: false,
    },
  };
  const { rows } = await db.execute<{ answer: HookAnswer }>(
    sql`SELECT public.hook_before_user_created(${JSON.stringify(event)}::jsonb) AS answer`,
  );
  const refusal = rows[0]?.answer?.error;
  if (refusal)
    throw authError(
      refusal.http_code ?? 400,
      'email_address_invalid',
      refusal.message ?? 'This address cannot be used.',
    );
}

interface HookAnswer {
  error?: { http_code?: number; message?: string };
}
