/**
 * Parts that stopped working. Whoever notices reports each failure and each success;
 * server/mail/tell-outages.ts tells the operator what is new.
 */
export type Part = 'database' | 'storage' | 'disk' | 'ai' | 'mail' | 'payments';

export interface Outages {
  /** @param reason for the operator: one clause, without a full stop; never a key or what people sent */
  failed(part: Part, reason: string): void;
  works(part: Part): void;
}

/** For processes that notify nobody: the command line, tests of one part. */
export const silentOutages: Outages = { failed() {}, works() {} };
