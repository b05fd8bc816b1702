import type { Command } from 'commander';

/** `inkproof backup FILE.tar`: database and files, while the server runs. */
export function registerBackupCommand(program: Command): void {
  program
    .command('backup')
    .description('write the database and files to one tar file; the server may be running')
    .argument('<file>', 'the tar file to write')
    .action(async (target: string) => {
      const [{ parseEnv }, { openDatabase }, { openStorage }, { createBackup }, { listOwnedPrefixes }] =
        await Promise.all([
          import('#platform/env.ts'),
          import('../database/database.ts'),
          import('../storage/open-storage.ts'),
          import('../backup/create-backup.ts'),
          import('./accounts/backup-scope.ts'),
        ]);
      const env = parseEnv(process.env);
      const database = await openDatabase(env, {
        migrate: false,
        onNotice: (notice) => process.stderr.write(`${notice}\n`),
      });
      try {
        const { tables, files, vanishedFiles } = await createBackup({
          databaseUrl: database.url,
          storage: openStorage(env),
          listOwnedPrefixes,
          target,
        });
        const rowCount = tables.reduce((sum, table) => sum + table.rowCount, 0);
        const leftOut =
          vanishedFiles > 0 ? `; ${vanishedFiles} files were removed by the server in the meantime` : '';
        process.stdout.write(`Backed up ${rowCount} rows and ${files.length} files to ${target}${leftOut}\n`);
      } finally {
        await database.close();
      }
    });
}
