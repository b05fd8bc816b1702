import type { Command } from 'commander';

/** `inkproof keys rotate`: a new key signs access tokens. Beside a running server, or without one. */
export function registerKeysCommand(program: Command): void {
  program
    .command('keys')
    .description('the keys that sign access tokens')
    .command('rotate')
    .description('sign with a new key; sessions go on')
    .option('--revoke', 'refuse tokens of the keys so far (restart every server afterwards)')
    .action(async (options: { revoke?: boolean }) => {
      const { openAccounts } = await import('./open-accounts.ts');
      const opened = await openAccounts(process.env, (notice) => process.stderr.write(`${notice}\n`));
      try {
        await opened.rotateKeys({ shouldRevoke: options.revoke ?? false });
        process.stdout.write(
          options.revoke
            ? 'A new key signs. Restart every server: those that run know the former keys for up to 10 minutes.\n'
            : 'A new key signs within 10 minutes. Tokens so far stay valid until they end.\n',
        );
      } finally {
        await opened.close();
      }
    });
}
