import { type Column, type SQL, sql } from 'drizzle-orm';

/**
 * Names as people sort them: accents beside their letters, capitals beside small ones, 'Lecture 2' before 'Lecture 10'.
 * The collation is the database's own (in the migrations; by code point of small letters where its PostgreSQL was built without ICU). No
 * index has this order: one that was sorted by an older ICU would be wrong after an update of the system, and what one
 * account keeps is sorted in a moment.
 */
export function inNameOrder(column: Column): SQL {
  return sql`lower(${column}) collate private.names`;
}
