/** The only place that turns an error into a response: `{code, error, source, warnings?}`. */
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { describeAbsence } from '#platform/absence.ts';
import { describeFirstIssue } from '#platform/describe-issue.ts';
import { ApiError, invalidInput } from '#platform/errors.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import type { AppEnv } from '../types.ts';

/** For a part that is away for an unknown time. */
const defaultRetrySeconds = 30;

/**
 * For `app.onError`; `{email}` in the catalogue's text is the support address. Errors outside the catalogue are
 * logged with their request id and answered as UNEXPECTED.
 */
export function answerError(error: Error, c: Context<AppEnv>, supportEmail?: string): Response {
  const { signal } = c.req.raw;
  const isAbort = error.name === 'AbortError' || error === signal.reason;
  // work aborted because its caller left: nobody reads the response
  const known = toApiError(error) ?? (signal.aborted && isAbort ? givenUp(error) : null);
  if (known === null || (known.status >= 500 && !signal.aborted))
    c.get('logger')?.error({ err: error }, 'request failed');
  const answer = known ?? new ApiError('UNEXPECTED', { message: 'Unexpected error occurred.' });
  const body: ErrorObject = answer.toObject();
  if (supportEmail) body.error = body.error.replace('{email}', supportEmail);
  if (answer.code === 'UNEXPECTED') body.request_id = c.get('requestId');
  const { retryAfterSeconds = answer.status === 503 ? defaultRetrySeconds : undefined } = answer;
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(Math.ceil(retryAfterSeconds)));
  if (answer.code === 'UNAUTHORIZED')
    c.header('WWW-Authenticate', c.req.header('Authorization') ? 'Bearer error="invalid_token"' : 'Bearer');
  return c.json(body, answer.status as ContentfulStatusCode);
}

function givenUp(cause: unknown): ApiError {
  return new ApiError('BUSY', { message: 'The request was abandoned.', retryAfterSeconds: 1, cause });
}

/** For `app.notFound` under /api, and for every route that finds nothing. */
export function notFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is nothing at this address.' });
}

/** Errors of the framework itself (a body that is not JSON, or too large) are the caller's fault. */
function toApiError(error: Error): ApiError | null {
  if (error instanceof ApiError) return error;
  if (!(error instanceof HTTPException)) return describeAbsence(error);
  if (error.status === 404) return notFound();
  if (error.status === 413) return invalidInput('The request is larger than this call accepts.', error);
  if (error.status >= 400 && error.status < 500)
    return invalidInput('The request could not be read. JSON is expected.', error);
  return null;
}

/** For OpenAPIHono's `defaultHook`: names the first invalid field, and why. */
export function refuseInvalid(result: { success: boolean; error?: unknown }): void {
  if (result.success) return;
  const { issues = [] } = (result.error ?? {}) as {
    issues?: { path: PropertyKey[]; message: string }[];
  };
  throw invalidInput(describeFirstIssue(issues));
}
