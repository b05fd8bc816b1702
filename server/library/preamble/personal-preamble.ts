/** A user's own preamble and notation: one row per account, saved with a base version like any text. */
import { eq, sql } from 'drizzle-orm';
import type { PersonalPreamble as Content } from '#latex/assemble/personal-preamble.ts';
import type { Database } from '#server/database/database.ts';
import type { PersonalPreamble } from '#shared/api/exchange.ts';
import { isUuid } from '../ids.ts';
import { lockLibrary, now } from '../lock-library.ts';
import { personalPreambles } from './schema.ts';

const none: PersonalPreamble = { version: 0, preamble: '', notation: [] };

/** Returns an empty preamble for a visitor, or an account that has none. */
export async function getPersonalPreamble(
  db: Pick<Database, 'select'>,
  userId: string,
): Promise<PersonalPreamble> {
  if (!isUuid(userId)) return none;
  const [row] = await db
    .select({
      version: personalPreambles.version,
      preamble: personalPreambles.preamble,
      notation: personalPreambles.notation,
    })
    .from(personalPreambles)
    .where(eq(personalPreambles.userId, userId));
  return row ?? none;
}

export type PreambleOutcome =
  | { kind: 'saved'; saved: PersonalPreamble }
  /** It was changed elsewhere meanwhile. */
  | { kind: 'conflict'; current: PersonalPreamble };

/** Callers must check that it compiles. @throws ApiError UNAUTHORIZED if the account was deleted */
export async function savePersonalPreamble(
  db: Database,
  userId: string,
  baseVersion: number,
  content: Content,
): Promise<PreambleOutcome> {
  return db.transaction(async (tx) => {
    await lockLibrary(tx, userId);
    const current = await getPersonalPreamble(tx, userId);
    if (current.version !== baseVersion) return { kind: 'conflict', current };
    const saved: PersonalPreamble = {
      version: baseVersion + 1,
      preamble: content.preamble.toWellFormed(),
      notation: content.notation.map(({ command, latex, meaning }) => ({
        command: command.toWellFormed(),
        latex: latex.toWellFormed(),
        meaning: meaning.toWellFormed(),
      })),
    };
    const values = { ...saved, updatedAt: now };
    await tx
      .insert(personalPreambles)
      .values({ userId, ...values })
      .onConflictDoUpdate({ target: personalPreambles.userId, set: values });
    return { kind: 'saved', saved };
  });
}

/** Safe to repeat. */
export async function removePersonalPreambleOf(db: Database, userId: string): Promise<void> {
  await db.delete(personalPreambles).where(eq(personalPreambles.userId, userId));
}

/** Removes preambles of accounts that the identity backend has deleted. */
export async function removeOrphanPreambles(db: Database): Promise<void> {
  await db
    .delete(personalPreambles)
    .where(sql`not exists (select from auth.users where users.id = personal_preambles.user_id)`);
}
