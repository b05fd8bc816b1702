/**
 * Who may sign up, for the form: section 5 of the specification. The database applies the same rules
 * (`private.refuse_signup` in the migrations), because with an external Supabase sign-ups do not pass through our server;
 * a test compares both on thousands of addresses. Only the server knows whether a domain is disposable.
 */

export const gmailAliasMessage =
  'Oops! Gmail aliases with "+" or dots aren\'t supported right now. Could you try signing up with your regular Gmail address?';
export const suspiciousAddressMessage =
  'Sorry, sign-ups from temporary, disposable, or suspicious email addresses are not allowed. Please use a valid personal or business email address.';

export type SignUpRefusal = typeof gmailAliasMessage | typeof suspiciousAddressMessage;

interface RefuseSignUpOptions {
  /** Called with the domain in lower case, without a trailing dot. Default: none is disposable. */
  isDisposable?: (domain: string) => boolean;
}

const spamWords = /free|bonus|offer|cash|money|win|prize|credit|lotto|loan|bitcoin|crypto|investment/;
const riskySuffixes = /\.(xyz|top|click|link|work|club|gq|cf|ml|ga|tk|fit|date|win)$/;

/** Non-ASCII spaces, soft hyphens, invisible marks. */
const invisible = '\\u0080-\\u00a0\\u00ad\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\ufeff';
/** Characters that RFC 5321 allows only in quotes; a quoted local part is refused. */
const oddInLocal = new RegExp(`[\\u0000-\\u0020"(),:;<>@\\[\\\\\\]\\u007f${invisible}]`);
const oddInDomain = new RegExp(`[\\u0000-\\u002c\\u002f\\u003a-\\u0060\\u007b-\\u007f${invisible}]`);

/** Null for an address that may sign up, otherwise the sentence that says why not. Ignores surrounding spaces and case. */
export function refuseSignUp(email: string, options: RefuseSignUpOptions = {}): SignUpRefusal | null {
  const whole = lowerAscii(email.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ''));
  const at = whole.lastIndexOf('@');
  if (at < 0) return suspiciousAddressMessage;
  const local = whole.slice(0, at);
  // as mail servers read a domain: compatible forms are equal, the Chinese and Japanese full stop is a dot
  const domain = lowerAscii(whole.slice(at + 1).normalize('NFKC'))
    .replaceAll('\u3002', '.')
    .replace(/\.$/, '');
  if (local === '' || domain === '') return suspiciousAddressMessage;
  if ((domain === 'gmail.com' || domain === 'googlemail.com') && local.includes('+'))
    return gmailAliasMessage;
  const isRefused =
    isMalformed(local, domain) || (options.isDisposable?.(domain) ?? false) || isSuspicious(local, domain);
  return isRefused ? suspiciousAddressMessage : null;
}

function isMalformed(local: string, domain: string): boolean {
  return (
    count(local) > 64 ||
    count(domain) > 253 ||
    !domain.includes('.') ||
    oddInLocal.test(local) ||
    oddInDomain.test(domain) ||
    domain
      .split('.')
      .some((label) => label === '' || label.startsWith('-') || label.endsWith('-') || count(label) > 63)
  );
}

function isSuspicious(local: string, domain: string): boolean {
  const letters = count(local);
  const digits = local.replace(/[^0-9]/g, '').length;
  const hasSpamWord = spamWords.test(local);
  if (letters >= 15 && digits * 10 > letters * 8) return true;
  // letters beyond ASCII may be vowels
  if (letters >= 25 && !/[aeiou\u0080-\u{10ffff}]/u.test(local)) return true;
  if (hasSpamWord && digits * 10 > letters * 3) return true;
  return riskySuffixes.test(domain) && (digits * 2 > letters || letters >= 25 || hasSpamWord);
}

/** Characters as PostgreSQL counts them. */
const count = (text: string): number => [...text].length;

/** The database's lower() depends on its locale beyond ASCII. */
const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
