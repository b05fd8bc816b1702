/** A delivered conversion with its files, stored where the product stores them. */
import { randomUUID } from 'node:crypto';
import type { Storage } from '#server/storage/storage.ts';

interface Sql {
  sql(text: string, values?: unknown[]): Promise<unknown>;
}

/** @returns the conversion's id; its PDF is `%PDF-1.7 ` and the text. */
export async function insertDelivered(
  { sql }: Sql,
  storage: Storage,
  callerId: string,
  text: string,
): Promise<string> {
  const id = randomUUID();
  const folder = `conversions/${id}/results/${randomUUID()}/`;
  const result = {
    latex: `\\documentclass{article}\\begin{document}${text}\\end{document}`,
    warnings: [],
    figures: [{ name: 'figure-p1-1.png', mediaType: 'image/png' }],
    folder,
    pages: [1],
  };
  await storage.put(`${folder}document.pdf`, Buffer.from(`%PDF-1.7 ${text}`));
  await storage.put(`${folder}figures/figure-p1-1.png`, Buffer.from('png'));
  await sql(
    `INSERT INTO conversions (id, caller_id, state, page_count, files, drawings, result, ended_at, work_files_gone_at)
     VALUES ($1, $2, 'delivered', 1, '[]', 'figure', $3, now(), now())`,
    [id, callerId, JSON.stringify(result)],
  );
  return id;
}

/** The keys in the storage that begin with this. */
export async function listKeys(storage: Storage, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys;
}
