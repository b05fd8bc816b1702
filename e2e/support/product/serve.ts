/**
 * Starts one product for the browser tests, `node e2e/support/product/serve.ts main|elsewhere`, with its own
 * data folder that is removed when it stops. If the API has a separate origin, a relay on that port represents
 * the proxy an operator would run.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { compileCache } from '../../../test-support/product/compile-cache.ts';
import { startOidcStandIn } from '../../../test-support/stand-ins/oidc-stand-in.ts';
import { elsewhere, main } from './addresses.ts';

const address = process.argv[2] === 'elsewhere' ? elsewhere : main;
const root = path.resolve(import.meta.dirname, '../../..');
if (!existsSync(path.join(root, 'build/client/__spa-fallback.html')))
  throw new Error('The web site has not been built: run npm run build first.');

const dataDir = mkdtempSync(path.join(os.tmpdir(), `inkproof-e2e-${address.name}-`));
// for the command line, which creates the tests' accounts
writeFileSync(address.dataDirFile, dataDir);
const google = await startOidcStandIn();
google.person = { sub: `${address.port}`, email: `grace-${address.name}@example.com`, email_verified: true };
const server = spawn(process.execPath, ['server/cli/main.ts', 'serve'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ...compileCache,
    PORT: String(address.port),
    PUBLIC_URL: address.url,
    API_URL: address.apiUrl,
    ONLINE_EDITOR_URL: address.editorUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    AUTH_LIMIT_FACTOR: '1000',
    GOOGLE_ISSUER: google.issuer,
    GOOGLE_CLIENT_ID: google.clientId,
    GOOGLE_CLIENT_SECRET: google.clientSecret,
    // one page at a time: pages arrive in order, and the machine has two cores
    READ_CONCURRENCY: '1',
  },
});
server.on('exit', (code) => {
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(code ?? 1);
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => server.kill('SIGTERM'));

if (address.apiUrl !== address.url)
  createServer((incoming) => {
    const outgoing = connect(address.port, '127.0.0.1');
    incoming.pipe(outgoing).pipe(incoming);
    incoming.on('error', () => outgoing.destroy());
    outgoing.on('error', () => incoming.destroy());
  }).listen(Number(new URL(address.apiUrl).port), '127.0.0.1');
