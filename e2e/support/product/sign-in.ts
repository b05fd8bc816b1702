/**
 * Runs once before all flows: creates one confirmed account with credits in each product, and the storage of a
 * browser signed in to all of them.
 */
import { writeFileSync } from 'node:fs';
import { createAccount, grantCredits, storageOf } from './accounts.ts';
import { products, signedInState } from './addresses.ts';

export default async function signInEverywhere(): Promise<void> {
  const origins = [];
  for (const address of products) {
    const email = await createAccount({ address });
    // enough for every flow, including retries
    await grantCredits(address, email, { pages: 2000, assistant: 2000 });
    origins.push(await storageOf(address, email));
  }
  writeFileSync(signedInState, JSON.stringify({ cookies: [], origins }), { mode: 0o600 });
}
