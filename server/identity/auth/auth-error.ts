/** Errors of /auth/v1 in the formats that Supabase's client reads. */
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { describeAbsence } from '#platform/absence.ts';
import type { AppEnv } from '#server/http/types.ts';

/** The error codes of this backend; each is one of auth-js's `ErrorCode`. */
export type AuthErrorCode =
  | 'anonymous_provider_disabled'
  | 'bad_code_verifier'
  | 'bad_json'
  | 'bad_jwt'
  | 'bad_oauth_callback'
  | 'bad_oauth_state'
  | 'email_address_invalid'
  | 'email_exists'
  | 'email_not_confirmed'
  | 'flow_state_expired'
  | 'flow_state_not_found'
  | 'identity_not_found'
  | 'insufficient_aal'
  | 'invalid_credentials'
  | 'manual_linking_disabled'
  | 'mfa_challenge_expired'
  | 'mfa_factor_name_conflict'
  | 'mfa_factor_not_found'
  | 'mfa_verification_failed'
  | 'no_authorization'
  | 'mfa_phone_enroll_not_enabled'
  | 'mfa_webauthn_enroll_not_enabled'
  | 'otp_disabled'
  | 'otp_expired'
  | 'over_email_send_rate_limit'
  | 'over_request_rate_limit'
  | 'phone_provider_disabled'
  | 'provider_disabled'
  | 'provider_email_needs_verification'
  | 'reauthentication_needed'
  | 'refresh_token_already_used'
  | 'refresh_token_not_found'
  | 'saml_provider_disabled'
  | 'same_password'
  | 'session_expired'
  | 'session_not_found'
  | 'single_identity_not_deletable'
  | 'too_many_enrolled_mfa_factors'
  | 'unexpected_failure'
  | 'user_banned'
  | 'user_not_found'
  | 'validation_failed'
  | 'weak_password';

interface AuthErrorExtras {
  weakPasswordReasons?: ('length' | 'pwned')[];
  retryAfterSeconds?: number;
}

/** Thrown anywhere below /auth/v1. Messages are written for people and never quote the request. */
export class AuthError extends Error {
  readonly status: number;
  readonly code: AuthErrorCode;
  readonly extras: AuthErrorExtras;

  constructor(status: number, code: AuthErrorCode, message: string, extras: AuthErrorExtras = {}) {
    super(message);
    this.name = 'AuthError';
    this.status = status;
    this.code = code;
    this.extras = extras;
  }
}

/** Shorthand: `throw authError(400, 'validation_failed', '…')`. */
export function authError(
  status: number,
  code: AuthErrorCode,
  message: string,
  extras?: AuthErrorExtras,
): AuthError {
  return new AuthError(status, code, message, extras);
}

/** The version of the error format: it makes the client read the code from `code`. */
export const apiVersionHeader = ['X-Supabase-Api-Version', '2024-01-01'] as const;

/** For the sub-application's `onError`. */
export function answerAuthError(error: Error, c: Context<AppEnv>): Response {
  const known = toAuthError(error);
  if (known === null || known.status >= 500)
    c.get('logger')?.error({ err: error }, 'an identity call failed');
  const answer = known ?? authError(500, 'unexpected_failure', 'Unexpected failure, please try again later.');
  const { weakPasswordReasons, retryAfterSeconds } = answer.extras;
  c.header(...apiVersionHeader);
  c.header('Cache-Control', 'no-store');
  // the rest of the body is not read, so the connection cannot be used again
  if (answer.status === 413) c.header('Connection', 'close');
  if (retryAfterSeconds !== undefined)
    c.header('Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  return c.json(
    {
      code: answer.code,
      error_code: answer.code,
      msg: answer.message,
      message: answer.message,
      ...(weakPasswordReasons ? { weak_password: { reasons: weakPasswordReasons } } : {}),
    },
    answer.status as ContentfulStatusCode,
  );
}

function toAuthError(error: Error): AuthError | null {
  if (error instanceof AuthError) return error;
  const absence = describeAbsence(error);
  // Supabase's client treats 503 as temporary: it keeps the session and retries
  if (absence)
    return authError(503, 'unexpected_failure', absence.message, {
      retryAfterSeconds: absence.retryAfterSeconds,
    });
  if (!(error instanceof HTTPException) || error.status >= 500) return null;
  return authError(400, 'bad_json', 'Could not read request body: JSON is expected.');
}
