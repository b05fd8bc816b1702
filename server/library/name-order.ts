import { type Column, type SQL, sql } from 'drizzle-orm';

/**
 * Sorts names naturally: accented letters next to plain ones, capitals next to lower case, 'Lecture 2' before 'Lecture
 * 10'. The collation is the database's own (in the migrations; by code point of lower-case letters if its PostgreSQL was
 * built without ICU). There is no index in this order: a system update of ICU would invalidate it, and sorting one
 * account's documents takes only a moment.
 */
export function inNameOrder(column: Column): SQL {
  return sql`lower(${column}) collate private.names`;
}
