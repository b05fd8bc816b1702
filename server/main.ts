/** The server's entry: `node server/main.ts`, which is what ./start and `./inkproof serve` run. */
import { runServer } from './run-server.ts';

await runServer(process.env);
