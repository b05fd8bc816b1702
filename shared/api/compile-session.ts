/**
 * The compile session: one document that is compiled while it is typed, over one WebSocket at
 * `/api/v1/compile-session` (subprotocol `compileSessionProtocol`). Both sides check every message by these schemas.
 *
 * A version is a number that the client gives to each state of its document; it only grows. Offsets are UTF-16 units,
 * as strings count them in the browser and on the server. A PDF follows its `pages` or `result` message as the next
 * binary frame.
 */
import { z } from 'zod';
import { Figure } from './conversion.ts';
import { Engine } from './engine.ts';
import { ErrorObject, errorCodes, LogFix, LogMessage } from './errors.ts';
import { fileNamePattern } from './file-name.ts';
import { maxLatexLength } from './limits.ts';

/** Names protocol and version; a server that speaks another one refuses the connection. */
export const compileSessionProtocol = 'inkproof.compile-session.1';
export const compileSessionPath = '/api/v1/compile-session';

/** Most separate changes in one edit; for more, the whole text is sent. */
export const maxChangesPerEdit = 2_000;

/** Valid in an Authorization header (RFC 6750); anything else is not a token. */
const Token = z
  .string()
  .max(8192)
  .regex(/^[A-Za-z0-9._~+/=-]+$/);
const Version = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const FileName = z.string().regex(fileNamePattern);
const Latex = z.string().max(maxLatexLength);
const Offset = z.number().int().nonnegative().max(maxLatexLength);
const Line = z.number().int().positive();
/** PDF points (1/72 inch) from a page's top left corner. */
const Points = z.number().min(-100_000).max(100_000);

/** `[from, to)` of the base text becomes `insert`. */
export const TextChange = z.object({
  from: Offset,
  to: Offset,
  insert: z.string().max(maxLatexLength),
});
export type TextChange = z.infer<typeof TextChange>;

export const SessionRequest = z.discriminatedUnion('type', [
  /** The first message. `token`: the access token of the signed-in user; an invalid token is refused. */
  z.object({
    type: z.literal('open'),
    version: Version,
    latex: Latex,
    figures: z.array(Figure).default([]),
    engine: Engine.optional(),
    token: Token.optional(),
    /** Whether pages that TeX sets despite errors are wanted; a client that does not ask assumes that each PDF is good. */
    incomplete: z.boolean().default(false),
    /** The id of the saved document: once it is deleted, its compile ends. */
    document_id: z.uuid().optional(),
  }),
  /** A refreshed access token of the same account. */
  z.object({ type: z.literal('token'), token: Token }),
  /**
   * Changes in text order, without overlap, with offsets into version `base`. `file`: the name of the
   * figure whose text (UTF-8) they change; without it, the document's own text.
   */
  z.object({
    type: z.literal('edit'),
    version: Version,
    base: Version,
    file: FileName.optional(),
    changes: z.array(TextChange).max(maxChangesPerEdit),
  }),
  z.object({ type: z.literal('replace'), version: Version, latex: Latex }),
  z.object({ type: z.literal('figures'), version: Version, figures: z.array(Figure) }),
  /** Ends the compile; answered by `stopped` if there was one. The next change is compiled as usual. */
  z.object({ type: z.literal('stop') }),
  /** Forward search: the place of a line in the PDF; if on several pages, preferably near `near_page`. */
  z.object({
    type: z.literal('locate'),
    version: Version,
    /** Without it, the document's own text. */
    file: FileName.optional(),
    line: Line,
    column: Line.optional(),
    near_page: Line.optional(),
  }),
  /** Inverse search: the line that produced this place of the PDF. */
  z.object({ type: z.literal('source'), version: Version, page: Line, x: Points, y: Points }),
  /** Fixes for the version sent last: for its first error, or (`all`) one after another until it compiles. */
  z.object({ type: z.literal('fix'), version: Version, all: z.boolean().default(false) }),
  z.object({ type: z.literal('close') }),
]);
export type SessionRequest = z.infer<typeof SessionRequest>;

/** In PDF points from the page's top left corner; `x`, `y` is the rectangle's top left corner. */
const PdfRectangle = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number().nonnegative(),
  height: z.number().nonnegative(),
});

/** What a source line set on a page; `focus` is the rectangle to scroll to. */
export const PdfPlace = z.object({ page: Line, rectangles: z.array(PdfRectangle), focus: PdfRectangle });
export type PdfPlace = z.infer<typeof PdfPlace>;

export const SessionAnswer = z.discriminatedUnion('type', [
  /** This version of the document is current. */
  z.object({ type: z.literal('accepted'), version: Version }),
  z.object({ type: z.literal('compiling'), version: Version }),
  /** A PDF follows in which these pages are correct; others may be blank or missing. */
  z.object({ type: z.literal('pages'), version: Version, first_page: Line, last_page: Line }),
  /**
   * The result of a version. `final: false`: another pass follows, which may change references and contents.
   * `ok: false` with a PDF (only if `incomplete` was requested): the pages that TeX typeset despite the errors, or until
   * its time ran out; `page_count` is their number. `error` is the catalogue's, without its messages.
   */
  z.object({
    type: z.literal('result'),
    version: Version,
    ok: z.boolean(),
    page_count: z.number().int().nonnegative(),
    messages: z.array(LogMessage),
    has_pdf: z.boolean(),
    final: z.boolean(),
    error: ErrorObject.optional(),
  }),
  /** No further messages for this version: a newer one has replaced it. */
  z.object({ type: z.literal('superseded'), version: Version }),
  /** No further messages for this version: `stop` was sent, or its document was deleted. */
  z.object({ type: z.literal('stopped'), version: Version }),
  /** The server does not have the text that the edit is based on: send all of it. */
  z.object({ type: z.literal('resync') }),
  /** `retry_after` (seconds): when the server tries again by itself. */
  z.object({
    type: z.literal('problem'),
    code: z.enum(errorCodes),
    message: z.string(),
    retry_after: z.number().nonnegative().optional(),
  }),
  /** Answers `locate`; `version` is that of the PDF. `place` is null if the line is not found. */
  z.object({ type: z.literal('location'), version: Version, place: PdfPlace.nullable() }),
  /** Answers `source`; `line` is null if nothing of the document is there; `file` if it is one of its figures. */
  z.object({
    type: z.literal('source_position'),
    version: Version,
    line: Line.nullable(),
    file: FileName.optional(),
  }),
  /**
   * Answers `fix`, unless an edit comes first. Each fix was compiled, and applies to the text that the previous one leaves;
   * without `all`, at most one. `left`: errors that the last compile still has. `retry_after` (seconds): the
   * server is busy; ask again then.
   */
  z.object({
    type: z.literal('fixes'),
    version: Version,
    all: z.boolean(),
    fixes: z.array(LogFix),
    /** Without `all`: the message that it fixes. */
    of: z.string().optional(),
    left: z.number().int().nonnegative(),
    retry_after: z.number().nonnegative().optional(),
  }),
]);
export type SessionAnswer = z.infer<typeof SessionAnswer>;

/** Why the server ends a session, as the WebSocket's close code. */
export const sessionCloseCodes = {
  /** Another account's token, or an invalid one: sign in again, or continue as a visitor. */
  unauthorized: 4401,
  /** No changes for a long time: reopen with the next one. */
  idle: 4408,
  /** Too many sessions, or the server is full: try again later. */
  full: 4429,
} as const;
