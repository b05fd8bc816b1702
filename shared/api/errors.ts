/**
 * The error catalogue: every code that the server sends, its text for users, and its HTTP status.
 * Codes and texts are those of section 8 of the product specification. docs/errors.md is generated from here.
 */
import { z } from 'zod';

export type ErrorSource = 'user' | 'server';

interface CatalogueEntry {
  /** HTTP status of the response. */
  status: number;
  /** The text for users; `null` if the server's own sentence is shown. */
  text: string | null;
  /** When it is sent; one sentence for docs/errors.md. */
  when: string;
}

export const errorCatalogue = {
  PDF_TOO_LONG: {
    status: 413,
    text: 'Your PDF is longer than the allowed limit. Try splitting it into smaller parts.',
    when: 'The requested range has more pages than one conversion may have.',
  },
  COPYRIGHT_DETECTED: {
    status: 451,
    text: 'We detected copyrighted material. Ensure you have the rights or try a different file.',
    when: 'The reader recognised published material on a page.',
  },
  COPYRIGHTED_PDF: {
    status: 451,
    text: 'We detected copyrighted material. Ensure you have the rights or try a different file.',
    when: "The PDF carries a publisher's marks in its text layer or metadata.",
  },
  DOCUMENT_LIMIT_EXCEEDED: {
    status: 403,
    text: 'You have reached your document limit. Please delete some documents to save new ones, or contact us at {email} for more storage.',
    when: 'Saving would exceed the document limit.',
  },
  COMPILATION_TIMEOUT: {
    status: 408,
    text: null,
    when: 'Compiling took longer than its limit.',
  },
  COMPILATION_FAILED: {
    status: 422,
    text: 'LaTeX compilation failed. Check the code or try the suggested fix.',
    when: 'The LaTeX has errors; the body lists them with their lines.',
  },
  GENERATION_FAILED: {
    status: 502,
    text: 'We had trouble processing your document. Please retry.',
    when: 'Reading failed because of a fault on the server.',
  },
  INVALID_INPUT: {
    status: 400,
    text: null,
    when: 'The request cannot be used; the message says why and what to do.',
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    text: '',
    when: 'The account has fewer credits than this costs.',
  },
  UNAUTHORIZED: {
    status: 401,
    text: 'Your session expired. Please sign in again.',
    when: 'The call needs a valid session and has none.',
  },
  USER_BANNED: {
    status: 403,
    text: 'There appears to be an issue with your account. Please reach out to our support team for help.',
    when: 'The session belongs to a banned account.',
  },
  FRESH_SIGN_IN_REQUIRED: {
    status: 403,
    text: 'Please sign in again to do this.',
    when: 'The action cannot be undone, and the session was started more than ten minutes ago.',
  },
  NOT_FOUND: {
    status: 404,
    text: null,
    when: 'There is nothing at this address for the caller.',
  },
  VERSION_CONFLICT: {
    status: 409,
    text: 'This document was changed somewhere else in the meantime. Compare both texts and keep what you want of each.',
    when: 'The saved text was based on an older version; nothing was overwritten, and the body holds the current text.',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    text: null,
    when: 'The caller has exceeded a limit; Retry-After says when to try again.',
  },
  BUSY: {
    status: 503,
    text: null,
    when: 'The server is at capacity or shutting down; Retry-After says when to try again.',
  },
  UNAVAILABLE: {
    status: 503,
    text: 'The service is not available right now. Please try again in a few minutes.',
    when: 'The database or the file storage cannot be reached; Retry-After says when to try again.',
  },
  STORAGE_FULL: {
    status: 503,
    text: 'There is no room left on the server, so nothing was saved and nothing was charged. Please try again later.',
    when: 'A disk the server writes to is full.',
  },
  AI_UNAVAILABLE: {
    status: 503,
    text: 'The AI service is not available right now. You have not been charged for this. Please try again later.',
    when: 'The AI vendor cannot be reached, or rejects the installation’s key.',
  },
  PAYMENT_UNAVAILABLE: {
    status: 503,
    text: 'Payments are not available right now. Nothing was charged. Please try again in a few minutes.',
    when: 'The payment service did not provide a checkout page.',
  },
  UNEXPECTED: {
    status: 500,
    text: 'Unexpected error occurred.',
    when: 'A fault in the server; the log has the request id.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;
export const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];

/** COMPILATION_TIMEOUT has two texts, depending on whose document timed out (specification, section 8). */
export const compilationTimeoutTexts = {
  user: 'Your LaTeX compilation is taking longer than expected. You can view and edit the code in the LaTeX tab to optimise it.',
  server:
    'Our servers are currently experiencing high volume. Compilation timed out – please try again shortly.',
} as const satisfies Record<ErrorSource, string>;

const SourcePosition = z.object({
  /** 1-based. */
  line: z.number().int().positive(),
  /** 0-based, in UTF-16 units. */
  column: z.number().int().nonnegative(),
});

/** An edit of the document that removes an error; compiled before it is offered. */
export const LogFix = z
  .object({
    /** What it does, in a few words: `Change \\alhpa to \\alpha`. */
    title: z.string(),
    /** In text order, without overlap; all places refer to the compiled text. */
    edits: z.array(z.object({ from: SourcePosition, to: SourcePosition, insert: z.string() })).min(1),
  })
  .meta({ id: 'LogFix' });
export type LogFix = z.infer<typeof LogFix>;

/** One message of a compile, mapped to the document's own lines. */
export const LogMessage = z
  .object({
    level: z.enum(['error', 'warning', 'badbox']),
    /** File as the document names it; null if TeX does not report it. */
    file: z.string().nullable(),
    /** 1-based line; null if TeX does not report it. */
    line: z.number().int().positive().nullable(),
    message: z.string(),
    /** The source around the error, as shown by TeX. */
    context: z.string().optional(),
    /** A plain explanation, if there is one. */
    explanation: z.string().optional(),
    /** A fix by rule, if there is one. */
    suggestion: z.string().optional(),
  })
  .meta({ id: 'LogMessage' });
export type LogMessage = z.infer<typeof LogMessage>;

/** A warning about a result. `page` is the 1-based page of the conversion. */
export const Warning = z
  .object({
    code: z.string(),
    message: z.string(),
    page: z.number().int().positive().optional(),
  })
  .meta({ id: 'Warning' });
export type Warning = z.infer<typeof Warning>;

function isUnknownCode(code: unknown): boolean {
  return typeof code === 'string' && !errorCodes.some((known) => known === code);
}

/** The error object of the specification (section 3): `{code, error, source, warnings?}`. */
export const ErrorObject = z
  .object({
    /** An unknown code is read as UNEXPECTED, with the server's text. */
    code: z.preprocess((code) => (isUnknownCode(code) ? 'UNEXPECTED' : code), z.enum(errorCodes)),
    /** The sentence for the user. */
    error: z.string(),
    source: z.enum(['user', 'server']),
    warnings: z.array(Warning).optional(),
    /** COMPILATION_FAILED: the messages of the compile, by line. */
    messages: z.array(LogMessage).optional(),
    /** INSUFFICIENT_CREDITS: which credits, how many are needed, and how many there are. */
    kind: z.enum(['conversion', 'assistant']).optional(),
    required: z.number().int().positive().optional(),
    available: z.number().int().nonnegative().optional(),
    /** UNEXPECTED: the id to quote to support. */
    request_id: z.string().optional(),
  })
  .meta({ id: 'ErrorObject' });
export type ErrorObject = z.infer<typeof ErrorObject>;

/** The sentence for an error object, as the specification requires: the catalogue's text, otherwise the server's. */
export function describeError(
  error: Pick<ErrorObject, 'code' | 'error' | 'source'>,
  supportEmail?: string,
): string {
  if (error.code === 'COMPILATION_TIMEOUT') return compilationTimeoutTexts[error.source];
  const text: string | null = errorCatalogue[error.code].text;
  if (text === null || error.code === 'UNEXPECTED') return error.error || 'Unexpected error occurred.';
  return supportEmail ? text.replace('{email}', supportEmail) : text;
}
