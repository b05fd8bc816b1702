import type { Command } from 'commander';

const say = (line: string) => process.stdout.write(`${line}\n`);
const onNotice = (notice: string) => void process.stderr.write(`${notice}\n`);

/** `inkproof keys`: the keys that sign access tokens, and SECRET_KEY. */
export function registerKeysCommand(program: Command): void {
  const keys = program
    .command('keys')
    .description('the keys that sign access tokens, and the key that secrets are kept under');

  keys
    .command('rotate')
    .description('sign with a new key; sessions go on')
    .option('--revoke', 'refuse tokens of the keys so far (restart every server afterwards)')
    .action(async (options: { revoke?: boolean }) => {
      const { openAccounts } = await import('./open-accounts.ts');
      const opened = await openAccounts(process.env, onNotice);
      try {
        await opened.rotateKeys({ shouldRevoke: options.revoke ?? false });
        say(
          options.revoke
            ? 'A new key signs. Restart every server: those that run know the former keys for up to 10 minutes.'
            : 'A new key signs within 10 minutes. Tokens so far stay valid until they end.',
        );
      } finally {
        await opened.close();
      }
    });

  keys
    .command('secret')
    .description('put a new SECRET_KEY in the place of the present one; no server may be running')
    .option('--forget-former', 'afterwards, forget the keys from before')
    .action(async (options: { forgetFormer?: boolean }) => {
      const { rotateSecretKey } = await import('./rotate-secret-key.ts');
      const lines = await rotateSecretKey(process.env, {
        shouldForget: options.forgetFormer ?? false,
        onNotice,
      });
      for (const line of lines) say(line);
    });
}
