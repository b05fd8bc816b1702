/** Replaces SECRET_KEY, resealing everything sealed with the former one (docs/decisions/100-a-new-secret-key.md). */
import pg from 'pg';
import { forgetFormerKeys, prepareDataDir, replaceSecretKey } from '#platform/data-dir.ts';
import { type Env, parseEnv } from '#platform/env.ts';
import { refuseWhileInUse } from '../../backup/restore-backup.ts';
import { openDatabase } from '../../database/database.ts';
import { openAccounts } from './open-accounts.ts';

interface RotateOptions {
  /** Only forgets the former keys, once nothing is sealed with them any more. */
  shouldForget: boolean;
  onNotice: (notice: string) => void;
}

/**
 * An interrupted run is resumed: the keys are written first, and meanwhile either of them opens everything.
 * @returns what to tell the operator. @throws Error with a sentence while a server is running
 */
export async function rotateSecretKey(
  source: Record<string, string | undefined>,
  { shouldForget, onNotice }: RotateOptions,
): Promise<string[]> {
  const env = parseEnv(source);
  const isOwn = env.SECRET_KEY === undefined;
  if (!isOwn && env.FORMER_SECRET_KEYS.length === 0)
    throw new Error(
      'SECRET_KEY is set in the environment. Set the new key there and the current one as FORMER_SECRET_KEYS, then run this again.',
    );
  await prepareDataDir(env.DATA_DIR);
  await refuseWhileServed(env, onNotice);
  // first what an earlier run has left
  const left = await resealAll(source, onNotice);
  const lost =
    left.lost === 0
      ? []
      : [
          `${left.lost} ${left.lost === 1 ? 'secret was' : 'secrets were'} sealed with a key that is not among these.`,
        ];
  if (shouldForget) {
    if (lost[0]) throw new Error(lost[0]);
    if (!isOwn) return ['Nothing is sealed with a former key. Remove FORMER_SECRET_KEYS.'];
    await forgetFormerKeys(env);
    return ['The former keys are forgotten.'];
  }
  let { resealed } = left;
  if (isOwn && resealed === 0) {
    await replaceSecretKey(env);
    resealed = (await resealAll(source, onNotice)).resealed;
  }
  return [
    `${resealed} ${resealed === 1 ? 'secret is' : 'secrets are'} now encrypted with the new key. The former key is remembered: visitors and known networks are recognised by it.`,
    ...lost,
  ];
}

async function refuseWhileServed(env: Env, onNotice: (notice: string) => void): Promise<void> {
  const database = await openDatabase(env, { migrate: false, onNotice });
  try {
    const client = new pg.Client({ connectionString: database.url, application_name: 'inkproof keys' });
    client.on('error', () => {});
    await client.connect();
    try {
      await refuseWhileInUse(client, 'change the key');
    } finally {
      await client.end();
    }
  } finally {
    await database.close();
  }
}

async function resealAll(source: Record<string, string | undefined>, onNotice: (notice: string) => void) {
  const opened = await openAccounts(source, onNotice);
  try {
    return await opened.reseal();
  } finally {
    await opened.close();
  }
}
