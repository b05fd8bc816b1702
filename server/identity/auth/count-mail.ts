/** Limits how many mails a caller may trigger and a mailbox may receive. */
import type { AuthLimits } from './limits.ts';

interface WantedMail {
  kind: 'signup' | 'recovery' | 'email_change';
  /** In lower case. Counted whether or not it has an account. */
  to: string;
  /** The caller (`RequestOrigin.network`); absent where the account or the sign-up is limited instead. */
  network?: string;
}

/**
 * Counts each kind separately: sign-ups with somebody's address must not use up the resets that its owner needs.
 * @throws AuthError over_email_send_rate_limit
 */
export async function countMail(limits: AuthLimits, { kind, to, network }: WantedMail): Promise<void> {
  if (network !== undefined) await limits.count('mailFrom', network);
  await limits.count('mailTo', `${kind} ${to}`);
  // only a sign-up can reach a mailbox through variants of its address that have no account
  await limits.count('mailToHourly', `${kind} ${kind === 'signup' ? describeMailbox(to) : to}`);
}

/** Canonical form of a mailbox, as for free credits (`private.canonical_mailbox`), without the rarer providers. */
function describeMailbox(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  const name = local.replace(/\+.*$/, '');
  if (/^(gmail|googlemail)\.com$/.test(domain)) return `${name.replaceAll('.', '')}@gmail.com`;
  if (/^(proton\.me|protonmail\.(com|ch)|pm\.me)$/.test(domain))
    return `${name.replace(/[._-]/g, '')}@proton.me`;
  return `${name}@${domain}`;
}
