/** Errors that may leave the server, and the only place that turns any error into a response's body. */
import {
  describeError,
  type ErrorCode,
  type ErrorObject,
  type ErrorSource,
  errorCatalogue,
  type LogMessage,
  type Warning,
} from '#shared/api/errors.ts';

interface ApiErrorOptions {
  /** The server's own sentence: what happened and what to do. */
  message?: string;
  /** Whose fault it is; the catalogue's time-out texts depend on it. Default: user for 4xx, server for 5xx. */
  source?: ErrorSource;
  warnings?: Warning[];
  messages?: LogMessage[];
  retryAfterSeconds?: number;
  shortage?: CreditShortage;
  cause?: unknown;
}

/** INSUFFICIENT_CREDITS: pages or AI conversations, how many the work costs, and how many the account has. */
export type CreditShortage = Required<Pick<ErrorObject, 'kind' | 'required' | 'available'>>;

/** Thrown at the edge with a code of the catalogue. Any other exception becomes UNEXPECTED. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly source: ErrorSource;
  readonly status: number;
  readonly warnings?: Warning[];
  readonly messages?: LogMessage[];
  readonly retryAfterSeconds?: number;
  readonly shortage?: CreditShortage;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    const status = errorCatalogue[code].status;
    const source = options.source ?? (status >= 500 ? 'server' : 'user');
    super(options.message || describeError({ code, error: '', source }), { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.source = source;
    this.status = status;
    this.warnings = options.warnings;
    this.messages = options.messages;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.shortage = options.shortage;
  }

  toObject(): ErrorObject {
    return {
      code: this.code,
      error: this.message,
      source: this.source,
      ...(this.warnings?.length ? { warnings: this.warnings } : {}),
      ...(this.messages?.length ? { messages: this.messages } : {}),
      ...this.shortage,
    };
  }
}

/** Shorthand for the most common refusal: INVALID_INPUT with a sentence that says what to do. */
export function invalidInput(message: string, cause?: unknown): ApiError {
  return new ApiError('INVALID_INPUT', { message, cause });
}
