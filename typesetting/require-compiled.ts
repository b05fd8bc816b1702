/** Turns a compile's result into the response for an API caller. */

import { ApiError } from '#platform/errors.ts';
import { compilationTimeoutTexts, type ErrorSource, type LogMessage } from '#shared/api/errors.ts';
import type { CompileResult } from './typesetter.ts';

/** Most messages sent with an error; the first ones are the ones to fix. */
const maxMessages = 100;

/**
 * The compiled document, or the catalogue's error.
 * @param source whose document it is: the time-out's text depends on it. A starved compile is the server's
 * fault.
 * @throws ApiError COMPILATION_FAILED (with `messages`), COMPILATION_TIMEOUT, BUSY (with Retry-After if waiting
 *   helps), TOO_MANY_REQUESTS
 */
export function requireCompiled(
  result: CompileResult,
  source: ErrorSource,
): Extract<CompileResult, { kind: 'compiled' }> {
  switch (result.kind) {
    case 'compiled':
      return result;
    case 'failed':
      throw new ApiError('COMPILATION_FAILED', { source, messages: publicMessages(result.messages) });
    case 'timed-out':
      throw new ApiError('COMPILATION_TIMEOUT', {
        source,
        message: compilationTimeoutTexts[source],
        messages: publicMessages(result.messages),
      });
    case 'refused':
      if (result.isStarved)
        throw new ApiError('COMPILATION_TIMEOUT', {
          source: 'server',
          message: compilationTimeoutTexts.server,
          retryAfterSeconds: result.retryAfterSeconds,
        });
      throw new ApiError(result.isOwnShare ? 'TOO_MANY_REQUESTS' : 'BUSY', {
        message: result.reason,
        retryAfterSeconds: result.retryAfterSeconds,
      });
    case 'cancelled':
      throw new ApiError('BUSY', { message: 'The compile was cancelled.', retryAfterSeconds: 1 });
  }
}

/** Errors first, then warnings; bad boxes are of no use outside an editor. */
export function publicMessages(messages: readonly LogMessage[]): LogMessage[] {
  const of = (level: LogMessage['level']) => messages.filter((message) => message.level === level);
  return [...of('error'), ...of('warning')].slice(0, maxMessages);
}
