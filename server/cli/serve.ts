import type { Command } from 'commander';

/** `inkproof serve`: the server, as run by ./start. Options override the settings of the same name. */
export function registerServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the server (settings: docs/operations.md)')
    .option('--port <number>', 'port to listen on (PORT)')
    .option('--host <address>', 'address to bind (HOST)')
    .option('--roles <list>', 'roles of this process: web, worker or both (ROLES)')
    .action(async (options: { port?: string; host?: string; roles?: string }) => {
      const { runServer } = await import('../run-server.ts');
      const { port, host, roles } = options;
      await runServer({
        ...process.env,
        ...(port === undefined ? {} : { PORT: port }),
        ...(host === undefined ? {} : { HOST: host }),
        ...(roles === undefined ? {} : { ROLES: roles }),
      });
    });
}
