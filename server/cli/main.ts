/** The program `inkproof`. */
import { importQuickly } from '#platform/quick-imports.ts';
import { runCommand } from './run-command.ts';

importQuickly();
await runCommand(process.argv.slice(2));
