/** Phoenix channels as Supabase's clients use them: version 1.0.0 sends objects, 2.0.0 arrays. */
import { z } from 'zod';

export type ProtocolVersion = '1.0.0' | '2.0.0';

export interface Message {
  joinRef: string | null;
  ref: string | null;
  /** `realtime:NAME`, or `phoenix` for heartbeats. */
  topic: string;
  event: string;
  payload: unknown;
}

const Ref = z.union([z.string().max(64), z.number().transform(String)]).nullish();
const Fields = z.object({
  join_ref: Ref,
  ref: Ref,
  topic: z.string().max(255),
  event: z.string().max(64),
  payload: z.unknown(),
});

/** Returns null for an invalid message. */
export function parseMessage(text: string): Message | null {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return null;
  }
  if (Array.isArray(given)) {
    const [join_ref, ref, topic, event, payload] = given as unknown[];
    given = { join_ref, ref, topic, event, payload };
  }
  const parsed = Fields.safeParse(given);
  if (!parsed.success) return null;
  const { join_ref, ref, topic, event, payload } = parsed.data;
  return { joinRef: join_ref ?? null, ref: ref ?? null, topic, event, payload };
}

export function formatMessage(version: ProtocolVersion, message: Message): string {
  const { joinRef, ref, topic, event, payload } = message;
  return JSON.stringify(
    version === '2.0.0'
      ? [joinRef, ref, topic, event, payload]
      : { join_ref: joinRef, ref, topic, event, payload },
  );
}

/** Settings of a join; broadcast and presence are not offered and their settings are ignored. */
export const JoinPayload = z.object({
  access_token: z.string().max(8192).nullish(),
  config: z
    .object({
      postgres_changes: z
        .array(
          z.object({
            event: z.enum(['*', 'INSERT', 'UPDATE', 'DELETE']),
            schema: z.string().max(63).optional(),
            table: z.string().max(63).optional(),
            filter: z.string().max(255).optional(),
          }),
        )
        .max(10)
        .nullish(),
    })
    .nullish(),
});

export const TokenPayload = z.object({ access_token: z.string().max(8192).nullish() });
