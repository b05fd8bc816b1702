/** How many mails somebody may cause, and one mailbox may get. */
import type { AuthLimits } from './limits.ts';

interface WantedMail {
  kind: 'signup' | 'recovery' | 'email_change';
  /** In lower case. Counted whether it has an account or not. */
  to: string;
  /** Who asks (`RequestOrigin.network`); absent where the account itself is bounded. */
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

/** One mailbox, one form: Gmail knows no dots, googlemail.com is gmail.com, and most servers leave a tag out. */
function describeMailbox(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  const name = local.replace(/\+.*$/, '');
  return /^(gmail|googlemail)\.com$/.test(domain)
    ? `${name.replaceAll('.', '')}@gmail.com`
    : `${name}@${domain}`;
}
