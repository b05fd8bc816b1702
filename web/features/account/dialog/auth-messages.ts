/** What is said when a sign-in, a sign-up or a mail does not work (specification, section 8). */
import { errorCatalogue } from '#shared/api/errors.ts';

/** What auth-js answers: `AuthError` has this shape. */
export interface AuthFailure {
  message: string;
  code?: string;
  name?: string;
  status?: number;
}

export const signUpSuccess = 'Please check your email to confirm your account.';
export const resetSuccess = 'Password reset email sent. Check your inbox.';
export const missingCredentials = 'You must provide either an email or phone number and a password';
const manyMails = 'We are experiencing a lot of traffic at the moment. Please try again in a few minutes.';
const noConnection = 'Network error. Check your connection and try again.';

/** The sentence for a failure: the provider's own, but where the specification has another. */
export function describeAuthFailure(failure: AuthFailure): string {
  if (failure.code === 'user_banned' || /user is banned/i.test(failure.message))
    return errorCatalogue.USER_BANNED.text;
  if (failure.code === 'over_email_send_rate_limit' || /email rate limit/i.test(failure.message))
    return manyMails;
  // auth-js reads no body of a 503
  if (failure.status === 503) return errorCatalogue.UNAVAILABLE.text;
  // the request never got an answer; auth-js then has the browser's own words, or none
  if (failure.name === 'AuthRetryableFetchError' || failure.name === 'TypeError') return noConnection;
  return failure.message || 'Unexpected error occurred.';
}

/** Which field a failure belongs to; `form` where it is about neither. */
export function fieldOfFailure(failure: AuthFailure): 'email' | 'password' | 'form' {
  if (failure.code === 'weak_password' || failure.code === 'same_password') return 'password';
  if (failure.code === 'email_address_invalid') return 'email';
  return 'form';
}
