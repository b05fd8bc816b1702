/** An installation with rows and files, as backups find it. */
import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { OpenedDatabase } from '../../database/database.ts';
import type { Storage } from '../../storage/storage.ts';

export interface Installation {
  database: OpenedDatabase;
  storage: Storage;
}

export const contentOf = (id: string) => createHash('sha512').update(id).digest('hex').repeat(100);

/** A conversion with its pages, one event and its upload, as one transaction. */
export async function addConversion({ database, storage }: Installation, pageCount: number): Promise<string> {
  const id = randomUUID();
  await storage.put(`conversions/${id}/uploads/0`, Buffer.from(contentOf(id)));
  await inTransaction(database, async (client) => {
    await client.query(
      `INSERT INTO conversions (id, caller_id, state, page_count, files, drawings, last_event_id) VALUES ($1, 'someone', 'reading', $2, '[]', 'figure', 1)`,
      [id, pageCount],
    );
    for (let number = 1; number <= pageCount; number++) {
      await client.query(
        `INSERT INTO conversion_pages (conversion_id, number, file_index, page_index, state, transcription) VALUES ($1, $2, 0, $2, 'waiting', $3)`,
        [id, number, JSON.stringify({ latex: contentOf(id).slice(0, 4000), odd: '\\N\t\n\u{1F58B} "\\\\' })],
      );
    }
    await client.query(`INSERT INTO conversion_events (conversion_id, id, type) VALUES ($1, 1, 'accepted')`, [
      id,
    ]);
  });
  return id;
}

/** Nested folders, the inner one written to the table first, and a document in it with a figure and history. */
export async function addDocument({ database, storage }: Installation): Promise<string> {
  const [id, outer, inner, userId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await storage.put(`documents/${id}/figures/a`, Buffer.from(contentOf(id)));
  await inTransaction(database, async (client) => {
    await client.query(
      "INSERT INTO folders (id, user_id, name) VALUES ($1, $3, 'Inner'), ($2, $3, 'Outer')",
      [inner, outer, userId],
    );
    await client.query('UPDATE folders SET parent_id = $2 WHERE id = $1', [inner, outer]);
    await client.query(
      "INSERT INTO documents (id, user_id, folder_id, title, latex) VALUES ($1, $2, $3, 'Kept', $4)",
      [id, userId, inner, contentOf(id)],
    );
    await client.query(
      "INSERT INTO document_figures (document_id, name, key, media_type, size_bytes, hash) VALUES ($1, 'a.png', $2, 'image/png', 1, '')",
      [id, `documents/${id}/figures/a`],
    );
    await client.query(
      "INSERT INTO document_versions (document_id, version, latex, title, cause) VALUES ($1, 1, $2, 'Kept', 'create')",
      [id, contentOf(id)],
    );
  });
  return id;
}

/** Moves every page of a conversion to another state and records it, as one transaction. */
export async function advance({ database }: Installation, id: string): Promise<void> {
  await inTransaction(database, async (client) => {
    const { rows } = await client.query(
      'UPDATE conversions SET last_event_id = last_event_id + 1 WHERE id = $1 RETURNING last_event_id',
      [id],
    );
    await client.query(
      `UPDATE conversion_pages SET state = CASE state WHEN 'waiting' THEN 'read' ELSE 'waiting' END WHERE conversion_id = $1`,
      [id],
    );
    await client.query(`INSERT INTO conversion_events (conversion_id, id, type) VALUES ($1, $2, 'page')`, [
      id,
      rows[0].last_event_id,
    ]);
  });
}

async function inTransaction(
  database: OpenedDatabase,
  use: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await use(client);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/** Ids whose rows are inconsistent: a state that never existed. */
export async function listTornConversions({ database }: Installation): Promise<string[]> {
  const { rows } = await database.pool.query(`
    SELECT c.id FROM conversions c
     WHERE c.page_count <> (SELECT count(*) FROM conversion_pages p WHERE p.conversion_id = c.id)
        OR c.last_event_id <> (SELECT count(*) FROM conversion_events e WHERE e.conversion_id = c.id)
        OR 1 <> (SELECT count(DISTINCT state) FROM conversion_pages p WHERE p.conversion_id = c.id)`);
  return rows.map((row) => row.id);
}

export const countConversions = async ({ database }: Installation): Promise<number> =>
  (await database.pool.query('SELECT count(*)::int AS count FROM conversions')).rows[0].count;
