/** The text and link of every mail about an account. */
import type { MailContent } from './layout.ts';

/** How long links are valid, in milliseconds; the mails state the same times. */
export const linkLifetimesMs = {
  signup: 24 * 60 * 60_000,
  recovery: 60 * 60_000,
  email_change: 24 * 60 * 60_000,
} as const;

export type AuthMail =
  | {
      /** `signup_again`: a new confirmation while several sign-ups are pending; its link asks for a password. */
      kind: 'signup' | 'signup_again' | 'recovery';
      to: string;
      /** For `verifyOtp({token_hash, type})`. */
      tokenHash: string;
      /** Where to continue: an address of PUBLIC_URL's origin; any other is left out. */
      redirectTo?: string | null;
      /** When this sign-up was made; set if several are pending. */
      signedUpAt?: Date;
    }
  /** To the account's new address. */
  | { kind: 'email_change_new'; to: string; tokenHash: string; redirectTo?: string | null }
  /** To its present address; with a token if this address has to confirm too. */
  | {
      kind: 'email_change_current';
      to: string;
      newEmail: string;
      tokenHash?: string;
      redirectTo?: string | null;
    }
  /** Somebody signed up with the address of an existing account. */
  | { kind: 'account_exists'; to: string }
  /** Notices after a change. */
  | {
      kind:
        | 'password_changed'
        | 'google_linked'
        | 'second_factor_added'
        | 'second_factor_removed'
        | 'account_deleted';
      to: string;
    }
  /** Somebody signed in on a new device. `device` is a description that comes from the client. */
  | { kind: 'new_device'; to: string; device: string; at: Date }
  /** A recovery code was used instead of the authenticator app; `left` of them still work. */
  | { kind: 'recovery_code_used'; to: string; left: number }
  /** To the account's former address. */
  | { kind: 'email_changed'; to: string; newEmail: string };

interface Place {
  publicUrl: string;
  supportEmail: string;
}

/** @throws TypeError for a malformed token hash */
export function writeAuthMail(mail: AuthMail, { publicUrl, supportEmail }: Place): MailContent {
  const ignore = 'If this wasn’t you, ignore this e-mail and nothing will happen.';
  switch (mail.kind) {
    case 'signup':
      return {
        subject: 'Confirm your e-mail address',
        preview: 'One more step to your free pages.',
        paragraphs: [
          'Welcome to Inkproof. Confirm that this address is yours, and your account is ready, with free pages and AI conversations.',
          ...(mail.signedUpAt
            ? [
                `Somebody has signed up with this address more than once. This e-mail is for the sign-up of ${describeMoment(mail.signedUpAt)}, and its link keeps the password chosen then. If that wasn’t you, don’t use the link. If you’re not sure which sign-up was yours, choose “Forgot your password?” when you log in: that sets a new password and cancels all of these links.`,
              ]
            : []),
        ],
        button: {
          label: 'Confirm address',
          url: describeLink(publicUrl, '/auth/confirm', 'signup', mail),
        },
        notes: ['The link works once, and expires after 24 hours.', ignore],
        reason: 'somebody signed up for Inkproof with this address.',
      };
    case 'signup_again':
      return {
        subject: 'Confirm your e-mail address',
        preview: 'Choose a password, and your account is ready.',
        paragraphs: [
          'Choose the password for your Inkproof account. This confirms your address. Passwords chosen in earlier sign-ups with it won’t work.',
        ],
        button: {
          label: 'Choose a password',
          url: describeLink(publicUrl, '/reset-password', 'recovery', mail),
        },
        notes: ['The link works once, and expires after one hour.', ignore],
        reason: 'somebody signed up for Inkproof with this address and asked for the link again.',
      };
    case 'recovery':
      return {
        subject: 'Reset your password',
        preview: 'A link to choose a new password.',
        paragraphs: [
          'Choose a new password for your Inkproof account. Until you do, the old one stays valid.',
        ],
        button: {
          label: 'Choose a new password',
          url: describeLink(publicUrl, '/reset-password', 'recovery', mail),
        },
        notes: ['The link works once, and expires after one hour.', ignore],
        reason: 'somebody asked to reset the password of the account with this address.',
      };
    case 'email_change_new':
      return {
        subject: 'Confirm your new e-mail address',
        preview: 'Your account moves to this address when you confirm it.',
        paragraphs: [
          'Somebody wants to use this address for their Inkproof account. Confirm that it is yours.',
        ],
        button: {
          label: 'Confirm new address',
          url: describeLink(publicUrl, '/auth/confirm', 'email_change', mail),
        },
        notes: ['The link works once, and expires after 24 hours.', ignore],
        reason: 'somebody entered this address as the new one for an Inkproof account.',
      };
    case 'email_change_current':
      return {
        subject: 'Your e-mail address is about to change',
        preview: `To ${mail.newEmail}.`,
        paragraphs: [
          mail.tokenHash
            ? `You asked to use ${mail.newEmail} for your Inkproof account. The change has to be confirmed from both addresses; this is the link for the old one.`
            : `You asked to use ${mail.newEmail} for your Inkproof account. The address changes once the new one is confirmed.`,
        ],
        ...(mail.tokenHash
          ? {
              button: {
                label: 'Confirm the change',
                url: describeLink(publicUrl, '/auth/confirm', 'email_change', {
                  ...mail,
                  tokenHash: mail.tokenHash,
                }),
              },
            }
          : {}),
        notes: [
          ...(mail.tokenHash ? ['The link works once, and expires after 24 hours.'] : []),
          `If you did not ask for this, change your password at once and write to ${supportEmail}.`,
        ],
        reason: 'it is the address of an Inkproof account.',
      };
    case 'account_exists':
      return {
        subject: 'You already have an account',
        preview: 'Log in with this address, or reset your password.',
        paragraphs: [
          'Somebody signed up for Inkproof with this address, which already has an account. If that was you, just log in, using “Continue with Google” if you did so before. If you have forgotten your password, choose “Forgot your password?”.',
        ],
        button: { label: 'Open Inkproof', url: new URL('/', publicUrl).href },
        notes: ['If this wasn’t you, ignore this e-mail: nothing has changed.'],
        reason: 'somebody signed up for Inkproof with this address.',
      };
    case 'password_changed':
      return {
        subject: 'Your password was changed',
        preview: 'All other devices have been logged out.',
        paragraphs: [
          'The password of your Inkproof account has just been changed. All other devices have been logged out.',
        ],
        notes: [
          `If this wasn’t you, reset your password with “Forgot your password?” on the login screen, and write to ${supportEmail}.`,
        ],
        reason: 'it is the address of an Inkproof account.',
      };
    case 'second_factor_added':
      return {
        subject: 'Two-factor authentication is on',
        preview: 'Logging in now requires a code from your authenticator app.',
        paragraphs: [
          'From now on, logging in to your Inkproof account requires a code from your authenticator app. All other devices have been logged out.',
        ],
        notes: [`If this wasn’t you, write to ${supportEmail} at once.`],
        reason: 'it is the address of an Inkproof account.',
      };
    case 'second_factor_removed':
      return {
        subject: 'An authenticator app was removed',
        preview: 'Its codes are no longer needed.',
        paragraphs: [
          'An authenticator app has just been removed from your Inkproof account. You no longer need its codes to log in.',
        ],
        notes: [`If this wasn’t you, change your password at once and write to ${supportEmail}.`],
        reason: 'it is the address of an Inkproof account.',
      };
    case 'google_linked':
      return {
        subject: 'Google was linked to your account',
        preview: 'You can now log in with Google.',
        paragraphs: [
          'Somebody logged in with the Google account that has this address. From now on it can be used to log in to your Inkproof account, as well as your password.',
        ],
        notes: [
          `If this wasn’t you, remove Google on your account page, secure your Google account, and write to ${supportEmail}.`,
        ],
        reason: 'it is the address of an Inkproof account.',
      };
    case 'new_device':
      return {
        subject: 'New sign-in to your account',
        preview: `${mail.device}, ${describeMoment(mail.at)}.`,
        paragraphs: [
          `Somebody logged in to your Inkproof account from a new device: ${mail.device}, ${describeMoment(mail.at)}.`,
        ],
        notes: [
          'If this was you, there is nothing to do.',
          'If this wasn’t you, change your password at once. That logs out all other devices.',
        ],
        reason: 'it is the address of an Inkproof account.',
      };
    case 'recovery_code_used':
      return {
        subject: 'A recovery code was used',
        preview: `${mail.left === 1 ? '1 is' : `${mail.left} are`} left.`,
        paragraphs: [
          `Somebody logged in to your Inkproof account with a recovery code instead of your authenticator app. ${mail.left === 1 ? '1 code is' : `${mail.left} codes are`} left. You can get new ones on your account page.`,
        ],
        notes: [`If this wasn’t you, change your password at once and write to ${supportEmail}.`],
        reason: 'it is the address of an Inkproof account.',
      };
    case 'email_changed':
      return {
        subject: 'Your e-mail address was changed',
        preview: `Your account now uses ${mail.newEmail}.`,
        paragraphs: [`Your Inkproof account now uses ${mail.newEmail}. E-mails will go there.`],
        notes: [`If this wasn’t you, write to ${supportEmail} at once.`],
        reason: 'until now it was the address of an Inkproof account.',
      };
    case 'account_deleted':
      return {
        subject: 'Your account was deleted',
        preview: 'Your documents and files have been deleted too.',
        paragraphs: [
          'Your Inkproof account has been deleted, with its documents, files and sessions. Purchase records are kept for as long as the law requires, without your name. This is the last e-mail to this address.',
        ],
        notes: [`If this wasn’t you, write to ${supportEmail} at once.`],
        reason: 'until now it was the address of an Inkproof account.',
      };
  }
}

/**
 * A link to our own page at PUBLIC_URL, which verifies the token only in an open browser, so that programs that follow
 * links do not use it up. The only part taken from a request is a path of our own to continue to.
 */
function describeLink(
  publicUrl: string,
  page: string,
  type: 'signup' | 'recovery' | 'email_change',
  { tokenHash, redirectTo }: { tokenHash: string; redirectTo?: string | null },
): string {
  if (!/^[A-Za-z0-9_-]{20,200}$/.test(tokenHash)) throw new TypeError('a token hash is letters and digits');
  const link = new URL(page, publicUrl);
  link.searchParams.set('token_hash', tokenHash);
  link.searchParams.set('type', type);
  const next = findOwnPath(publicUrl, redirectTo);
  if (next !== null && next !== '/' && next !== page) link.searchParams.set('redirect_to', next);
  return link.href;
}

/** The path and query of an address of ours; null for none or another site's. */
function findOwnPath(publicUrl: string, address: string | null | undefined): string | null {
  const url = address ? URL.parse(address) : null;
  if (url === null || url.origin !== new URL(publicUrl).origin) return null;
  // `//host/x` as a path would be read as a host
  return url.pathname.startsWith('//') ? null : `${url.pathname}${url.search}`;
}

/** In UTC, because the reader's time zone is unknown: "22 November 2026, 15:04 UTC". */
function describeMoment(moment: Date): string {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat('en-GB', options).format(moment).replace(' at ', ', ')} UTC`;
}
