/**
 * Loads a package that only some installations use, where it is used: what a start does not load, it does not pay for.
 * `loadLater('nodemailer') as typeof import('nodemailer')`
 */
import { createRequire } from 'node:module';

export const loadLater: (name: string) => unknown = createRequire(import.meta.url);
