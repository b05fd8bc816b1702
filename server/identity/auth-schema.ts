/**
 * Tables of the embedded backend, in the schema `auth`. Whatever Supabase also has uses Supabase's names and types, so
 * that SQL over users, sessions and identities runs on both; the rest is our own. Secrets are stored as hashes, or
 * sealed with a key derived from SECRET_KEY (`auth/tokens/seal.ts`).
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  inet,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from '#server/database/columns.ts';

export const auth = pgSchema('auth');

const createdAt = () => moment('created_at').notNull().defaultNow();
const updatedAt = () => moment('updated_at').notNull().defaultNow();

/** How an account signs in. */
export interface AppMetadata {
  provider?: string;
  providers?: string[];
}

/** One entry of the token's `amr` claim: how a session was authenticated; `timestamp` in seconds. */
export interface AuthMethod {
  method: string;
  timestamp: number;
}

export const users = auth.table(
  'users',
  {
    id: uuid('id').primaryKey(),
    aud: text('aud').notNull().default('authenticated'),
    role: text('role').notNull().default('authenticated'),
    /** Lower case. */
    email: text('email'),
    /** argon2id in PHC form; null for an account without a password. */
    encryptedPassword: text('encrypted_password'),
    emailConfirmedAt: moment('email_confirmed_at'),
    confirmationSentAt: moment('confirmation_sent_at'),
    recoverySentAt: moment('recovery_sent_at'),
    /** The address that replaces `email` once both addresses have confirmed; empty otherwise. */
    emailChange: text('email_change').notNull().default(''),
    emailChangeSentAt: moment('email_change_sent_at'),
    /** 1 once one of the two addresses has confirmed the change. */
    emailChangeConfirmStatus: smallint('email_change_confirm_status').notNull().default(0),
    lastSignInAt: moment('last_sign_in_at'),
    rawAppMetaData: jsonb('raw_app_meta_data').$type<AppMetadata>().notNull().default({}),
    rawUserMetaData: jsonb('raw_user_meta_data').$type<Record<string, unknown>>().notNull().default({}),
    phone: text('phone'),
    isSsoUser: boolean('is_sso_user').notNull().default(false),
    isAnonymous: boolean('is_anonymous').notNull().default(false),
    /** No sign-in and no refresh before this moment. */
    bannedUntil: moment('banned_until'),
    deletedAt: moment('deleted_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('users_email_key').on(sql`lower(${table.email})`)],
);

/** One sign-in method of an account: its password (`email`) or an external account (`google`). */
export const identities = auth.table(
  'identities',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** The account's id at the provider; for `email` the user's id. */
    providerId: text('provider_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    identityData: jsonb('identity_data').$type<Record<string, unknown>>().notNull(),
    provider: text('provider').notNull(),
    lastSignInAt: moment('last_sign_in_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    email: text('email').generatedAlwaysAs(sql`lower(identity_data ->> 'email')`),
  },
  (table) => [
    unique('identities_provider_id_provider_unique').on(table.providerId, table.provider),
    index('identities_user_id_idx').on(table.userId),
  ],
);

export const sessions = auth.table(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    refreshedAt: moment('refreshed_at'),
    /** `aal1`, or `aal2` once a second factor was verified. */
    aal: text('aal').$type<'aal1' | 'aal2'>().notNull().default('aal1'),
    amr: jsonb('amr').$type<AuthMethod[]>().notNull().default([]),
    notAfter: moment('not_after'),
    userAgent: text('user_agent'),
    /** Always null: we do not store IP addresses. The column exists for SQL that names it. */
    ip: inet('ip'),
  },
  (table) => [index('sessions_user_id_idx').on(table.userId)],
);

/** The refresh tokens of a session. Exactly one is unused at any time: the active one. */
export const refreshTokens = auth.table(
  'refresh_tokens',
  {
    /** The token is derived from this id with a key, so that the active one can be issued again without being stored. */
    id: uuid('id').primaryKey(),
    tokenHash: text('token_hash').notNull().unique(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** The token that this one replaced. */
    parentId: uuid('parent_id'),
    createdAt: createdAt(),
    usedAt: moment('used_at'),
  },
  (table) => [
    uniqueIndex('refresh_tokens_active_idx').on(table.sessionId).where(sql`${table.usedAt} is null`),
    index('refresh_tokens_session_id_idx').on(table.sessionId),
  ],
);

/** Single-use tokens in the links of mails. */
export const oneTimeTokens = auth.table(
  'one_time_tokens',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenType: text('token_type').$type<OneTimeTokenType>().notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    /** The address the mail was sent to: the only one that the token proves. */
    relatesTo: text('relates_to').notNull(),
    /** For `signup`: the password and metadata chosen in the sign-up that this link belongs to. */
    passwordHash: text('password_hash'),
    userMetaData: jsonb('user_meta_data').$type<Record<string, unknown>>(),
    createdAt: createdAt(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    index('one_time_tokens_user_id_idx').on(table.userId),
    // each sign-up has its own link until the address is confirmed
    uniqueIndex('one_time_tokens_one_of_a_kind')
      .on(table.userId, table.tokenType)
      .where(sql`${table.tokenType} <> 'signup'`),
  ],
);
export type OneTimeTokenType = 'signup' | 'recovery' | 'email_change_current' | 'email_change_new';

/** A sign-in in progress: from /authorize to the provider and back, until its code is exchanged. */
export const flowState = auth.table(
  'flow_state',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    providerType: text('provider_type').notNull(),
    authenticationMethod: text('authentication_method').notNull(),
    /** The client's PKCE challenge; null in the implicit flow. */
    codeChallenge: text('code_challenge'),
    codeChallengeMethod: text('code_challenge_method').$type<'s256' | 'plain'>(),
    /** Hash of the code that the client exchanges for a session. */
    authCodeHash: text('auth_code_hash').unique(),
    authCodeIssuedAt: moment('auth_code_issued_at'),
    /** Hash of the `state` sent to the provider; null once it has come back. */
    stateHash: text('state_hash').unique(),
    /** Hash of the cookie that binds the flow to one browser. */
    cookieHash: text('cookie_hash'),
    nonce: text('nonce'),
    /** Our own PKCE verifier for the provider, sealed. */
    codeVerifier: text('code_verifier'),
    redirectTo: text('redirect_to').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('flow_state_created_at_idx').on(table.createdAt)],
);

export const mfaFactors = auth.table(
  'mfa_factors',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    friendlyName: text('friendly_name'),
    factorType: text('factor_type').$type<'totp'>().notNull(),
    status: text('status').$type<'unverified' | 'verified'>().notNull(),
    /** Sealed. */
    secret: text('secret').notNull(),
    lastChallengedAt: moment('last_challenged_at'),
    /** The time step of the last accepted code, so that none is accepted twice. */
    lastStep: bigint('last_step', { mode: 'number' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('mfa_factors_user_id_idx').on(table.userId),
    uniqueIndex('mfa_factors_user_friendly_name_unique')
      .on(table.friendlyName, table.userId)
      .where(sql`trim(${table.friendlyName}) <> ''`),
  ],
);

export const mfaChallenges = auth.table(
  'mfa_challenges',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    factorId: uuid('factor_id')
      .notNull()
      .references(() => mfaFactors.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    verifiedAt: moment('verified_at'),
  },
  (table) => [index('mfa_challenges_created_at_idx').on(table.createdAt)],
);

/** Keys that sign access tokens. The newest active one signs; public keys stay until the last token has expired. */
export const signingKeys = auth.table('signing_keys', {
  kid: text('kid').primaryKey(),
  publicJwk: jsonb('public_jwk').$type<Record<string, unknown>>().notNull(),
  /** The private JWK, sealed; null once retired. */
  sealedPrivateJwk: text('sealed_private_jwk'),
  createdAt: createdAt(),
  /** When it stopped signing. */
  retiredAt: moment('retired_at'),
});

/** Networks (keyed hashes) that have signed in to an account before, so that a flood of guesses cannot lock them out. */
export const knownNetworks = auth.table(
  'known_networks',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    network: text('network').notNull(),
    lastSignInAt: moment('last_sign_in_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.network] })],
);

/** Browsers (hashes of a cookie's value) that have signed in to an account before. */
export const knownDevices = auth.table(
  'known_devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    device: text('device').notNull(),
    lastSignInAt: moment('last_sign_in_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.device] })],
);

/** Single-use codes that replace an authenticator app's code; stored as hashes. */
export const recoveryCodes = auth.table(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(),
    createdAt: createdAt(),
    usedAt: moment('used_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/** Counters of rate-limiter-flexible, which defines the columns; keys are keyed hashes. `expire` in ms. */
export const rateLimits = auth.table(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    points: integer('points').notNull().default(0),
    expire: bigint('expire', { mode: 'number' }),
  },
  (table) => [index('rate_limits_expire_idx').on(table.expire)],
);
