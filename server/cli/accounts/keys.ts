import type { Command } from 'commander';

const say = (line: string) => process.stdout.write(`${line}\n`);
const onNotice = (notice: string) => void process.stderr.write(`${notice}\n`);

/** `inkproof keys`: the keys that sign access tokens, and SECRET_KEY. */
export function registerKeysCommand(program: Command): void {
  const keys = program
    .command('keys')
    .description('the keys that sign access tokens, and the key that encrypts secrets');

  keys
    .command('rotate')
    .description('sign with a new key; sessions stay valid')
    .option('--revoke', 'reject tokens signed with earlier keys (restart every server afterwards)')
    .action(async (options: { revoke?: boolean }) => {
      const { openAccounts } = await import('./open-accounts.ts');
      const opened = await openAccounts(process.env, onNotice);
      try {
        await opened.rotateKeys({ shouldRevoke: options.revoke ?? false });
        say(
          options.revoke
            ? 'Tokens are now signed with a new key. Restart every server: running ones accept the former keys for up to 10 minutes.'
            : 'Tokens are signed with a new key within 10 minutes. Existing tokens stay valid until they expire.',
        );
      } finally {
        await opened.close();
      }
    });

  keys
    .command('secret')
    .description('replace the current SECRET_KEY with a new one; no server may be running')
    .option('--forget-former', 'then forget the former keys')
    .action(async (options: { forgetFormer?: boolean }) => {
      const { rotateSecretKey } = await import('./rotate-secret-key.ts');
      const lines = await rotateSecretKey(process.env, {
        shouldForget: options.forgetFormer ?? false,
        onNotice,
      });
      for (const line of lines) say(line);
    });
}
