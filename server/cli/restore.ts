import type { Command } from 'commander';

/**
 * `inkproof restore FILE.tar`: restores what `inkproof backup` has written into an installation that is not
 * running.
 */
export function registerRestoreCommand(program: Command): void {
  program
    .command('restore')
    .description('restore a backup into this installation, which must be empty and not running')
    .argument('<file>', 'the tar file written by inkproof backup')
    .option('--replace', 'replace everything in this installation')
    .action(async (source: string, options: { replace?: boolean }) => {
      const [
        { parseEnv },
        { openDatabase },
        { openStorage },
        { restoreBackup, verifyBackup },
        { storageRoots },
      ] = await Promise.all([
        import('#platform/env.ts'),
        import('../database/database.ts'),
        import('../storage/open-storage.ts'),
        import('../backup/restore-backup.ts'),
        import('./accounts/backup-scope.ts'),
      ]);
      const env = parseEnv(process.env);
      // before starting a database for a file that cannot be restored
      await verifyBackup(source);
      const database = await openDatabase(env, {
        migrate: false,
        onNotice: (notice) => process.stderr.write(`${notice}\n`),
      });
      try {
        const { tables, files, createdAt } = await restoreBackup({
          databaseUrl: database.url,
          storage: openStorage(env),
          storageRoots,
          source,
          shouldReplace: options.replace ?? false,
        });
        const rowCount = tables.reduce((sum, table) => sum + table.rowCount, 0);
        process.stdout.write(
          `Restored ${rowCount} rows and ${files.length} files from the backup of ${createdAt}\n`,
        );
      } finally {
        await database.close();
      }
    });
}
