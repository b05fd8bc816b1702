/**
 * Checks what leaves the machine: the product runs in a network namespace that reaches nothing, while every
 * attempt by any of its processes is recorded.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const home = os.userInfo().homedir;
/** As root, the sandbox inside cannot be made without these. */
const rights = process.getuid?.() === 0 ? ['--cap-add', 'ALL'] : [];
const ownNetwork = [
  ...['--unshare-net', '--unshare-pid', '--die-with-parent'],
  ...['--dev-bind', '/', '/', '--proc', '/proc', ...rights],
];

/** Why processes cannot be traced on this machine; null if they can. */
function whyNot(): string | null {
  const tried = spawnSync('bwrap', [...ownNetwork, '--', 'strace', '-qq', '-o', '/dev/null', 'true']);
  return tried.status === 0 ? null : `no network of its own here: ${tried.stderr ?? tried.error?.message}`;
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-outgoing-'));
  // when run by root, PostgreSQL runs as another user
  await chmod(folder, 0o711);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a day of use looks up no name and contacts no address that docs/operations.md does not list', {
  // every system call is traced: on a busy machine this takes many times what it takes alone
  timeout: 1_200_000,
}, async ({ skip }) => {
  const reason = whyNot();
  skip(reason !== null, reason ?? '');
  const log = path.join(folder, 'calls');
  const { stdout } = await promisify(execFile)('bwrap', [
    ...ownNetwork,
    // names are looked up at a resolver that does not exist, and nowhere else
    ...(await place('/etc/resolv.conf', 'nameserver 127.0.0.1\n')),
    ...(await place('/etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n')),
    // other servers on this machine remove what belongs to no process that they see
    ...['--perms', '1777', '--tmpfs', os.tmpdir()],
    ...(existsSync(home) && home !== '/' ? ['--tmpfs', home] : []),
    ...['--bind', folder, folder, '--bind', root, root],
    '--',
    ...['strace', '-f', '--seccomp-bpf', '-qq', '-x', '-s', '600', '-o', log],
    ...['-e', 'trace=connect,sendto,sendmsg,sendmmsg', '-e', 'signal=none'],
    ...[process.execPath, path.join(root, 'test-support/product/use-product.ts'), path.join(folder, 'data')],
  ]);
  const { steps, left } = JSON.parse(stdout) as { steps: string[]; left: string[] };
  expect(steps).toEqual(expect.arrayContaining(['sign-up', 'scan.jpg', 'ink.png', 'compile', 'library']));

  const calls = await readFile(log, 'latin1');
  const operations = await readFile(path.join(root, 'docs/operations.md'), 'utf8');
  const listed = /^## Outgoing connections$(.*?)^## /ms.exec(operations)?.[1] ?? '';
  const names = [...new Set(readQuestions(calls))].sort();
  expect(names.filter((name) => !listed.includes(name))).toEqual([]);
  // the price page's lookup was recorded, so others would have been too
  expect(names).toContain('api.country.is');
  expect(readAddresses(calls).filter((address) => !/^(127\.|::1$|::ffff:127\.)/.test(address))).toEqual([]);
  // a machine identity, or events waiting to be sent
  expect(left).toEqual([]);
});

/** Sandbox options that replace an existing file by a text. */
async function place(file: string, text: string): Promise<string[]> {
  if (!existsSync(file)) return [];
  const copy = path.join(folder, path.basename(file));
  await writeFile(copy, text);
  return ['--ro-bind', copy, realpathSync(file)];
}

/** The names in the DNS questions that were sent (RFC 1035, 4.1: header with one question, then its labels). */
function readQuestions(calls: string): string[] {
  return [...calls.matchAll(/"((?:\\x[0-9a-f]{2}){17,})"/g)].flatMap(([, hex]) => {
    const bytes = Buffer.from(hex!.replaceAll('\\x', ''), 'hex');
    const isQuestion = (bytes[2]! & 0x80) === 0 && bytes.readUInt16BE(4) === 1 && bytes.readUInt32BE(6) === 0;
    if (!isQuestion) return [];
    const labels: string[] = [];
    for (let at = 12; bytes[at]; at += 1 + bytes[at]!)
      labels.push(bytes.subarray(at + 1, at + 1 + bytes[at]!).toString());
    return [labels.join('.')];
  });
}

/** The network addresses that something was sent or connected to. */
function readAddresses(calls: string): string[] {
  return [...calls.matchAll(/inet_(?:addr\(|pton\(AF_INET6, )"([^"]+)"/g)].map(([, address]) => address!);
}
