/** The command line: one file per command; each registers itself and loads what it needs when it runs. */
import { Command, CommanderError } from 'commander';
import { registerKeysCommand } from './accounts/keys.ts';
import { registerUserCommands } from './accounts/user.ts';
import { registerBackupCommand } from './backup.ts';
import { registerConvertCommand } from './convert/convert.ts';
import { registerMailCommand } from './mail.ts';
import { registerCreditsCommands } from './money/credits.ts';
import { registerMoneyCommands } from './money/money.ts';
import { registerRestoreCommand } from './restore.ts';
import { registerServeCommand } from './serve.ts';

/** Runs `inkproof …` in this process, with settings from the environment; `process.exitCode` tells how it ended. */
export async function runCommand(args: readonly string[]): Promise<void> {
  const program = new Command('inkproof')
    .description('Turns handwritten notes and PDFs into LaTeX that compiles, with its PDF.')
    .showHelpAfterError('(inkproof --help lists the commands)')
    .exitOverride();

  registerConvertCommand(program);
  registerServeCommand(program);
  registerBackupCommand(program);
  registerRestoreCommand(program);
  registerUserCommands(program);
  registerMoneyCommands(registerCreditsCommands(program));
  registerMailCommand(program);
  registerKeysCommand(program);

  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode;
    else {
      // sentences for the person at the terminal; a stack trace would only hide them
      process.stderr.write(`${(error as Error).message}\n`);
      process.exitCode = 1;
    }
  }
}
