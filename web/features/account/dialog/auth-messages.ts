/** Messages for failed sign-ins, sign-ups and mails (specification, section 8). */
import { errorCatalogue } from '#shared/api/errors.ts';

/** The shape of auth-js' `AuthError`. */
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

/** The sentence for a failure: the specification's if it has one, otherwise the provider's. */
export function describeAuthFailure(failure: AuthFailure): string {
  if (failure.code === 'user_banned' || /user is banned/i.test(failure.message))
    return errorCatalogue.USER_BANNED.text;
  if (failure.code === 'over_email_send_rate_limit' || /email rate limit/i.test(failure.message))
    return manyMails;
  // auth-js does not read the body of a 503
  if (failure.status === 503) return errorCatalogue.UNAVAILABLE.text;
  // the request got no response; auth-js then has the browser's message, or none
  if (failure.name === 'AuthRetryableFetchError' || failure.name === 'TypeError') return noConnection;
  return failure.message || 'Unexpected error occurred.';
}

/** The field that a failure belongs to; `form` if it is about neither. */
export function fieldOfFailure(failure: AuthFailure): 'email' | 'password' | 'form' {
  if (failure.code === 'weak_password' || failure.code === 'same_password') return 'password';
  if (failure.code === 'email_address_invalid') return 'email';
  return 'form';
}
