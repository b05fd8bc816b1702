/** Accounts and sessions; knows nothing of notes. */
export { createIdentity, type IdentityDeps } from './create-identity.ts';
export type {
  AccountSummary,
  Accounts,
  Identity,
  PublicIdentitySettings,
  SessionSummary,
  SignedInUser,
  TokenVerdict,
} from './identity.ts';
export { createDeletionNotice, createFactorNotice } from './mails/notices.ts';
