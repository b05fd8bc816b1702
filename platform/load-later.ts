/**
 * Loads a package that only some installations need, on first use, so that a start does not pay for it.
 * `loadLater('nodemailer') as typeof import('nodemailer')`
 */
import { createRequire } from 'node:module';

export const loadLater: (name: string) => unknown = createRequire(import.meta.url);
