/** How many documents an account may keep: 200 by default, or as set by the operator. */
import { eq } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { userCredits } from './schema.ts';

/** Existing documents stay, even above the limit. @throws Error if the account does not exist */
export async function setDocumentLimit(db: Database, userId: string, documents: number): Promise<void> {
  const changed = await db
    .update(userCredits)
    .set({ documentLimit: documents })
    .where(eq(userCredits.userId, userId))
    .returning({ userId: userCredits.userId });
  if (changed.length === 0) throw new Error('The account no longer exists.');
}
