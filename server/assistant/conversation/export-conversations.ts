import type { ExportedFile, ExportPart } from '#platform/export-part.ts';
import type { Database } from '../../database/database.ts';
import { listTurnsOf, type TurnRow } from './turn-store.ts';

/** A person's conversations with the assistant for their export, one file per document. */
export function exportAssistantOf(db: Database, userId: string): ExportPart {
  return {
    describes: [
      {
        path: 'documents/ID/conversation.json',
        meaning: 'your conversation with the assistant about a document',
      },
    ],
    files: listFiles(db, userId),
  };
}

async function* listFiles(db: Database, userId: string): AsyncGenerator<ExportedFile> {
  const byDocument = Map.groupBy(await listTurnsOf(db, userId), ({ documentId }) => documentId);
  for (const [id, rows] of byDocument)
    yield {
      path: `documents/${id}/conversation.json`,
      content: `${JSON.stringify(rows.map(describe), null, 2)}\n`,
    };
}

function describe(row: TurnRow) {
  return {
    asked_at: row.createdAt,
    question: row.message,
    selected: row.scope,
    tex_message: row.logMessage,
    state: row.state,
    answer: row.answer,
    change: row.description,
    text_before: row.before,
    text_with_change: row.after,
    taken: row.decision,
  };
}
