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
  const ignore = 'If that was not you, ignore this mail: nothing happens.';
  switch (mail.kind) {
    case 'signup':
      return {
        subject: 'Confirm your e-mail address',
        preview: 'One step, and your free pages are yours.',
        paragraphs: [
          'Welcome to Inkproof. Confirm that this address is yours, and your account is ready, with its free pages and AI conversations.',
          ...(mail.signedUpAt
            ? [
                `Somebody has signed up with this address more than once. This mail belongs to the sign-up of ${describeMoment(mail.signedUpAt)}, and its link keeps the password chosen then. If that was not you, leave it alone. If you are not sure which sign-up was yours, choose “Forgot your password?” at the login instead: that sets a new password and voids all of these links.`,
              ]
            : []),
        ],
        button: { label: 'Confirm address', url: describeLink(publicUrl, '/auth/confirm', 'signup', mail) },
        notes: ['The link works once, within 24 hours.', ignore],
        reason: 'somebody signed up at Inkproof with this address.',
      };
    case 'signup_again':
      return {
        subject: 'Confirm your e-mail address',
        preview: 'Choose a password, and your account is ready.',
        paragraphs: [
          'Choose the password for your Inkproof account. This confirms your address; passwords that were chosen when somebody signed up with it before open nothing.',
        ],
        button: {
          label: 'Choose a password',
          url: describeLink(publicUrl, '/reset-password', 'recovery', mail),
        },
        notes: ['The link works once, within one hour.', ignore],
        reason: 'somebody signed up at Inkproof with this address and asked for the link again.',
      };
    case 'recovery':
      return {
        subject: 'Reset your password',
        preview: 'A link to choose a new password.',
        paragraphs: ['Choose a new password for your Inkproof account. Until you do, the old one stays.'],
        button: {
          label: 'Choose a new password',
          url: describeLink(publicUrl, '/reset-password', 'recovery', mail),
        },
        notes: ['The link works once, within one hour.', ignore],
        reason: 'somebody asked to reset the password of the account with this address.',
      };
    case 'email_change_new':
      return {
        subject: 'Confirm your new e-mail address',
        preview: 'Your account moves to this address when you confirm it.',
        paragraphs: ['An Inkproof account is to use this address from now on. Confirm that it is yours.'],
        button: {
          label: 'Confirm new address',
          url: describeLink(publicUrl, '/auth/confirm', 'email_change', mail),
        },
        notes: ['The link works once, within 24 hours.', ignore],
        reason: 'somebody entered this address as the new one of an Inkproof account.',
      };
    case 'email_change_current':
      return {
        subject: 'Your e-mail address is about to change',
        preview: `To ${mail.newEmail}.`,
        paragraphs: [
          mail.tokenHash
            ? `Your Inkproof account is to use ${mail.newEmail} from now on. Both addresses have to agree; this is the link for the old one.`
            : `Your Inkproof account is to use ${mail.newEmail} from now on. It changes when the new address is confirmed.`,
        ],
        ...(mail.tokenHash
          ? {
              button: {
                label: 'Agree to the change',
                url: describeLink(publicUrl, '/auth/confirm', 'email_change', {
                  ...mail,
                  tokenHash: mail.tokenHash,
                }),
              },
            }
          : {}),
        notes: [
          ...(mail.tokenHash ? ['The link works once, within 24 hours.'] : []),
          `If you did not ask for this, change your password at once and write to ${supportEmail}.`,
        ],
        reason: 'it is the address of an Inkproof account.',
      };
    case 'account_exists':
      return {
        subject: 'You already have an account',
        preview: 'Log in with this address, or reset your password.',
        paragraphs: [
          'Somebody signed up at Inkproof with this address, and it has an account already. If that was you, log in as ever; with Continue with Google, if that is how you did it before. If you have forgotten your password, choose Forgot your password there.',
        ],
        button: { label: 'Open Inkproof', url: new URL('/', publicUrl).href },
        notes: ['If that was not you, ignore this mail: nothing has changed.'],
        reason: 'somebody signed up at Inkproof with this address.',
      };
    case 'password_changed':
      return {
        subject: 'Your password was changed',
        preview: 'Everyone who was logged in is logged out.',
        paragraphs: [
          'The password of your Inkproof account has just been changed, and its other sessions were ended.',
        ],
        notes: [
          `If that was not you, reset your password with Forgot your password in the login window, and write to ${supportEmail}.`,
        ],
        reason: 'it is the address of an Inkproof account.',
      };
    case 'second_factor_added':
      return {
        subject: 'Two-factor authentication is on',
        preview: 'Logging in now asks for a code of your authenticator app.',
        paragraphs: [
          'From now on, logging in to your Inkproof account asks for a code of your authenticator app. Your other sessions were ended.',
        ],
        notes: [`If that was not you, write to ${supportEmail} at once.`],
        reason: 'it is the address of an Inkproof account.',
      };
    case 'second_factor_removed':
      return {
        subject: 'An authenticator app was removed',
        preview: 'Its codes are no longer asked for.',
        paragraphs: [
          'An authenticator app has just been removed from your Inkproof account. Its codes are no longer asked for when you log in.',
        ],
        notes: [`If that was not you, change your password at once and write to ${supportEmail}.`],
        reason: 'it is the address of an Inkproof account.',
      };
    case 'google_linked':
      return {
        subject: 'Google was linked to your account',
        preview: 'You can now log in with Google.',
        paragraphs: [
          'Somebody logged in with the Google account of this address. From now on it opens your Inkproof account, beside your password.',
        ],
        notes: [
          `If that was not you, remove Google on your account page, secure your Google account, and write to ${supportEmail}.`,
        ],
        reason: 'it is the address of an Inkproof account.',
      };
    case 'new_device':
      return {
        subject: 'New sign-in to your account',
        preview: `${mail.device}, ${describeMoment(mail.at)}.`,
        paragraphs: [
          `Somebody logged in to your Inkproof account from a device that had not been used for it before: ${mail.device}, ${describeMoment(mail.at)}.`,
        ],
        notes: [
          'If that was you, there is nothing to do.',
          'If that was not you, change your password at once: that signs out all other devices.',
        ],
        reason: 'it is the address of an Inkproof account.',
      };
    case 'recovery_code_used':
      return {
        subject: 'A recovery code was used',
        preview: `${mail.left === 1 ? '1 is' : `${mail.left} are`} left.`,
        paragraphs: [
          `Somebody logged in to your Inkproof account with a recovery code in place of your authenticator app. ${mail.left === 1 ? '1 code is' : `${mail.left} codes are`} left. You can make new ones on your account page.`,
        ],
        notes: [`If that was not you, change your password at once and write to ${supportEmail}.`],
        reason: 'it is the address of an Inkproof account.',
      };
    case 'email_changed':
      return {
        subject: 'Your e-mail address was changed',
        preview: `Your account now uses ${mail.newEmail}.`,
        paragraphs: [`Your Inkproof account now uses ${mail.newEmail}. Mails will go there.`],
        notes: [`If that was not you, write to ${supportEmail} at once.`],
        reason: 'until now it was the address of an Inkproof account.',
      };
    case 'account_deleted':
      return {
        subject: 'Your account was deleted',
        preview: 'Your documents and files are gone with it.',
        paragraphs: [
          'Your Inkproof account is gone, with its documents, files and sessions. Records of purchases stay for as long as the law demands, without your name. This is the last mail to this address.',
        ],
        notes: [`If that was not you, write to ${supportEmail} at once.`],
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
