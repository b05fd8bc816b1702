/** Calls on LaTeX and PDFs without a saved document: compile, request-change, watermark (specification, section 7). */
import { z } from 'zod';
import { Figure } from './conversion.ts';
import { Engine } from './engine.ts';
import { LogMessage, Warning } from './errors.ts';
import { maxFeedbackLength, maxLatexLength, maxWatermarkTextLength } from './limits.ts';
import { readerIds } from './reader.ts';

/** POST /api/v1/compile → application/pdf, or an error object. */
export const CompileRequest = z.object({
  latex: z.string().min(1).max(maxLatexLength),
  return_pdf: z.boolean().default(true),
  source: z.enum(['user', 'server']).default('user'),
  /** Figures the document includes, as the conversion delivered them. */
  figures: z.array(Figure).default([]),
  /** Overrides the document's own choice. */
  engine: Engine.optional(),
});
export type CompileRequest = z.infer<typeof CompileRequest>;

/** POST /api/v1/compile with `return_pdf: false`: the document compiles; `messages` are its warnings. */
export const CompileResponse = z.object({
  ok: z.literal(true),
  page_count: z.number().int().positive(),
  messages: z.array(LogMessage),
});
export type CompileResponse = z.infer<typeof CompileResponse>;

/** POST /api/v1/request-change */
export const ChangeRequest = z.object({
  latex: z.string().min(1).max(maxLatexLength),
  feedback: z.string().trim().min(1).max(maxFeedbackLength),
  figures: z.array(Figure).default([]),
});
export type ChangeRequest = z.infer<typeof ChangeRequest>;

export const ChangeResponse = z.object({
  latex: z.string(),
  /** What was done, if known exactly (changes made without a model). */
  description: z.string().optional(),
  warnings: z.array(Warning).optional(),
});
export type ChangeResponse = z.infer<typeof ChangeResponse>;

/** POST /api/v1/watermark, multipart: file (document.pdf), watermark_text, size_scale. */
export const WatermarkFields = z.object({
  watermark_text: z.string().trim().min(1).max(maxWatermarkTextLength),
  size_scale: z.coerce.number().min(0.1).max(5).default(1),
});
export type WatermarkFields = z.infer<typeof WatermarkFields>;

/** The watermark form as OpenAPI shows it. */
export const WatermarkForm = WatermarkFields.extend({
  file: z.string().meta({ format: 'binary', description: 'The PDF, as document.pdf' }),
});

export const WatermarkResponse = z.object({ pdf_base64: z.string() });
export type WatermarkResponse = z.infer<typeof WatermarkResponse>;

/** GET /api/v1/config: what the browser needs to know about this installation. No secrets. */
export const PublicConfig = z.object({
  /** Which reader converts; shown next to the convert button. */
  reader: z.enum(readerIds),
  /** The address that "open in online editor" posts to. */
  online_editor_url: z.string(),
  support_email: z.string(),
  /** The page with the mails of an installation without a mail server, for callers on its machine; otherwise null. */
  inbox_url: z.string().nullable(),
  /** Where and how people sign in: the settings of the browser's identity client. */
  identity: z.object({
    /** Base address of /auth/v1, /rest/v1 and /realtime/v1. */
    url: z.string(),
    /** Public key of the role `anon`. */
    anon_key: z.string(),
    /** Enabled sign-in methods. */
    providers: z.object({ email: z.boolean(), google: z.boolean() }),
  }),
});
export type PublicConfig = z.infer<typeof PublicConfig>;
