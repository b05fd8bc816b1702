/** How many mails somebody may cause, and one mailbox may get. */
import type { AuthLimits } from './limits.ts';

interface WantedMail {
  kind: 'signup' | 'recovery' | 'email_change';
  /** In lower case. Counted whether it has an account or not. */
  to: string;
  /** Who asks (`RequestOrigin.network`); absent where the account itself or a sign-up is bounded. */
  network?: string;
}

/**
 * Each kind is counted by itself: sign-ups with somebody's address must not use up the resets by which they get in.
 * @throws AuthError over_email_send_rate_limit
 */
export async function countMail(limits: AuthLimits, { kind, to, network }: WantedMail): Promise<void> {
  if (network !== undefined) await limits.count('mailFrom', network);
  await limits.count('mailTo', `${kind} ${to}`);
  // only a sign-up reaches a mailbox by spellings of its address that have no account
  await limits.count('mailToHourly', `${kind} ${kind === 'signup' ? describeMailbox(to) : to}`);
}

/** One mailbox, one form, by the rule that counts free credits (`private.canonical_mailbox`), but for rarer providers. */
function describeMailbox(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  const name = local.replace(/\+.*$/, '');
  if (/^(gmail|googlemail)\.com$/.test(domain)) return `${name.replaceAll('.', '')}@gmail.com`;
  if (/^(proton\.me|protonmail\.(com|ch)|pm\.me)$/.test(domain))
    return `${name.replace(/[._-]/g, '')}@proton.me`;
  return `${name}@${domain}`;
}
