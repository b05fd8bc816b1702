/** All data about a person as files: what each room contributes, after a README that explains them. */
import { sql } from 'drizzle-orm';
import type { ExportedFile, ExportPart } from '#platform/export-part.ts';
import { exportAssistantOf } from '#server/assistant/index.ts';
import { exportConversionsOf } from '#server/conversion/index.ts';
import { exportCreditsOf } from '#server/credits/index.ts';
import type { Database } from '#server/database/database.ts';
import type { Accounts } from '#server/identity/index.ts';
import { exportLibraryOf } from '#server/library/index.ts';
import type { Storage } from '#server/storage/storage.ts';

export interface ExportDeps {
  db: Database;
  storage: Storage;
  accounts: Pick<Accounts, 'findById' | 'listSessions'>;
}

/** The files of a person's export, README.txt first. */
export async function* exportAccount(deps: ExportDeps, userId: string): AsyncGenerator<ExportedFile> {
  const parts = [
    exportIdentityOf(deps, userId),
    exportCreditsOf(deps.db, userId),
    exportConversionsOf(deps, userId),
    exportLibraryOf(deps, userId),
    exportAssistantOf(deps.db, userId),
  ];
  yield { path: 'README.txt', content: writeReadme(parts) };
  for (const part of parts) yield* part.files;
}

function writeReadme(parts: ExportPart[]): string {
  const lines = parts.flatMap(({ describes }) =>
    describes.map(({ path, meaning }) => `${path}\n    ${meaning}`),
  );
  return [
    `Everything Inkproof stores about you, as of ${new Date().toISOString()}.`,
    '',
    ...lines,
    '',
    'Text is UTF-8, times are in UTC. Your password is not included: only a hash of it is stored.',
    'Uploaded files are deleted once they have been read, so they are not included unless you chose to keep them.',
    '',
  ].join('\n');
}

function exportIdentityOf({ db, accounts }: ExportDeps, userId: string): ExportPart {
  return {
    describes: [
      { path: 'account.json', meaning: 'your account: address, how you sign in, when it was created' },
      { path: 'sessions.json', meaning: 'where you are signed in' },
    ],
    files: (async function* () {
      const account = await accounts.findById(userId);
      const { rows } = await db.execute<{ user_metadata: unknown }>(
        sql`select raw_user_meta_data as user_metadata from auth.users where id = ${userId}`,
      );
      yield {
        path: 'account.json',
        content: toJson({
          id: userId,
          email: account?.email,
          providers: account?.providers,
          created_at: account?.createdAt,
          confirmed_at: account?.confirmedAt,
          last_sign_in_at: account?.lastSignInAt,
          user_metadata: rows[0]?.user_metadata ?? {},
        }),
      };
      const sessions = await accounts.listSessions(userId);
      yield {
        path: 'sessions.json',
        content: toJson(
          sessions.map(({ id, createdAt, refreshedAt, userAgent }) => ({
            id,
            created_at: createdAt,
            refreshed_at: refreshedAt,
            user_agent: userAgent,
          })),
        ),
      };
    })(),
  };
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
