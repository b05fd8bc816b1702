/**
 * A process that keeps the embedded PostgreSQL of a folder open: `node test-support/hold-database.ts DATA_DIR`.
 * Prints one JSON line once it is open, closes when its input ends, then prints `closed`.
 */
import { openEmbeddedPostgres } from '#server/database/embedded/embedded-postgres.ts';

const notices: string[] = [];
const server = await openEmbeddedPostgres({
  dataDir: process.argv[2] ?? '',
  onNotice: (notice) => notices.push(notice),
});
const { url, adminUrl, attached, location } = server;
process.stdout.write(
  `${JSON.stringify({ url, adminUrl, attached, location, postmaster: server.findServer(), notices })}\n`,
);
process.stdin.resume();
process.stdin.once('end', async () => {
  await server.close();
  process.stdout.write('closed\n');
});
