/** Chooses the system user of the embedded PostgreSQL, which refuses to run as root. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';

export interface ServerUser {
  uid: number;
  gid: number;
}

/** The user created if the machine has no `postgres`. TeX jobs run as `nobody`, never as one of these. */
const dedicatedUserName = 'inkproof-db';

/**
 * The user to switch to, or null if this process does not run as root and the server can run as its user.
 * An existing cluster keeps its owner. Otherwise `postgres`, else `inkproof-db`, which is created.
 * @throws Error if there is no such user and none can be created.
 */
export function chooseServerUser(clusterOwner: ServerUser | null): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  if (clusterOwner && clusterOwner.uid !== 0) return clusterOwner;
  const existing = findUser('postgres') ?? findUser(dedicatedUserName);
  if (existing) return existing;
  const attempts: [string, string[]][] = [
    [
      'useradd',
      [
        '--system',
        '--user-group',
        '--no-create-home',
        '--home-dir',
        '/nonexistent',
        '--shell',
        '/usr/sbin/nologin',
        dedicatedUserName,
      ],
    ],
    ['adduser', ['-S', '-D', '-H', '-s', '/sbin/nologin', dedicatedUserName]],
  ];
  for (const [command, options] of attempts) {
    spawnSync(command, options, { stdio: 'ignore', env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });
    const created = findUser(dedicatedUserName);
    if (created) return created;
  }
  throw new Error(
    `PostgreSQL does not run as root, and the system user ${dedicatedUserName} could not be created. ` +
      `Create it (useradd --system ${dedicatedUserName}), run Inkproof as an ordinary user, or set DATABASE_URL.`,
  );
}

function findUser(name: string): ServerUser | null {
  let table: string;
  try {
    table = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return null;
  }
  for (const line of table.split('\n')) {
    const [user, , uid, gid] = line.split(':');
    if (user === name && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}

/** False in a container whose user is only a number, without the name that initdb needs. */
export function isCurrentUserNamed(): boolean {
  try {
    os.userInfo();
    return true;
  } catch {
    return false;
  }
}

/** True if `user` can enter `folder`, which is tried out. */
export function canEnter(user: ServerUser | null, folder: string): boolean {
  const tried = spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], {
    stdio: 'ignore',
    cwd: '/',
    ...user,
  });
  return tried.status === 0;
}
