/** Accounts and sessions, independent of documents. */
export { createIdentity } from './create-identity.ts';
export type { Accounts, Identity } from './identity.ts';
export { createDeletionNotice, createFactorNotice } from './mails/notices.ts';
