/** How many documents an account may keep: 200 at first, and what the operator says from then on. */
import { eq } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { userCredits } from './schema.ts';

/** Documents that are there already stay, also where they are more. @throws Error when the account has gone */
export async function setDocumentLimit(db: Database, userId: string, documents: number): Promise<void> {
  const changed = await db
    .update(userCredits)
    .set({ documentLimit: documents })
    .where(eq(userCredits.userId, userId))
    .returning({ userId: userCredits.userId });
  if (changed.length === 0) throw new Error('The account has gone.');
}
