/** Calls for import and export, templates, and the personal preamble. */
import { z } from 'zod';
import { ErrorObject } from './errors.ts';
import { NewDocument, SavedDocument } from './library.ts';
import { maxFileBytes, personalPreambleLimits, templateIds } from './limits.ts';

/** Largest file that can be imported, in bytes. */
export const maxImportBytes = maxFileBytes;

/** The export formats. */
const exportFormats = ['tex', 'zip', 'pdf', 'docx', 'html', 'markdown'] as const;
/** How readings that need checking are marked: in the LaTeX, where it prints plainly; in colour as well; or not. */
export const doubtForms = ['marked', 'colour', 'none'] as const;
export type DoubtForm = (typeof doubtForms)[number];
/** Query of GET /api/v1/documents/{id}/export */
export const ExportQuery = z.object({
  format: z.enum(exportFormats),
  doubts: z.enum(doubtForms).default('none'),
});
export type ExportFormat = z.infer<typeof ExportQuery>['format'];

/** Fields of POST /api/v1/documents/import in addition to `file`. */
export const ImportFields = z.object({
  /** Empty: none. */
  folder_id: z
    .union([z.uuid(), z.literal('')])
    .default('')
    .transform((id) => id || null),
  save_id: NewDocument.shape.save_id,
  /** Path of the main document in an archive with several. Empty: the likeliest. */
  main: z.string().max(300).default(''),
});

/** The result of an import. */
export const Imported = z
  .object({
    document: SavedDocument,
    /** Files that the document names but that were not in the upload, as it names them. */
    missing: z.array(z.string()),
    /** Path in the archive; null for a .tex file. */
    main: z.string().nullable(),
    /** Other possible main documents in the archive: paths, for the field `main`. */
    others: z.array(z.string()),
  })
  .meta({ id: 'Imported' });
export type Imported = z.infer<typeof Imported>;

/** POST /api/v1/documents/from-template */
export const TemplateUse = z.object({
  template: z.enum(templateIds),
  /** Default: the template's name. */
  title: NewDocument.shape.title,
  folder_id: NewDocument.shape.folder_id,
  save_id: NewDocument.shape.save_id,
});
export type TemplateUse = z.input<typeof TemplateUse>;

/** A template for new documents. */
export const TemplateSummary = z
  .object({ id: z.enum(templateIds), name: z.string(), description: z.string() })
  .meta({ id: 'TemplateSummary' });
export type TemplateSummary = z.infer<typeof TemplateSummary>;
/** GET /api/v1/templates, in display order. */
export const Templates = z.object({ templates: z.array(TemplateSummary) }).meta({ id: 'Templates' });
export type Templates = z.infer<typeof Templates>;

const limits = personalPreambleLimits;
// PostgreSQL keeps every character but this one
const isStorable = (text: string) => !text.includes('\0');
const stored = (max: number) =>
  z.string().max(max).refine(isStorable, 'It contains a character that cannot be stored (U+0000).');

const Notation = z.object({
  command: stored(limits.command),
  latex: stored(limits.latex),
  meaning: stored(limits.meaning),
});

/** GET /api/v1/preamble: the preamble of the account’s new documents and conversions. */
export const PersonalPreamble = z
  .object({
    /** Grows by one with each save; 0 before the first. */
    version: z.number().int().nonnegative(),
    preamble: stored(limits.preamble),
    notation: z.array(Notation).max(limits.notation),
  })
  .meta({ id: 'PersonalPreamble' });
export type PersonalPreamble = z.infer<typeof PersonalPreamble>;

/** PUT /api/v1/preamble */
export const PreambleSave = PersonalPreamble.omit({ version: true }).extend({
  /** The version that the change is based on. */
  base_version: z.number().int().nonnegative(),
});
export type PreambleSave = z.infer<typeof PreambleSave>;

/** VERSION_CONFLICT, with the present state; nothing was overwritten. */
export const PreambleConflict = ErrorObject.extend({ current: PersonalPreamble }).meta({
  id: 'PreambleConflict',
});
export type PreambleConflict = z.infer<typeof PreambleConflict>;

/** COMPILATION_FAILED: the reasons why nothing was saved. */
export const PreambleRefused = ErrorObject.extend({
  refused: z
    .array(
      z.object({
        in: z.enum(['preamble', 'notation']),
        /** 1-based line of `preamble`, or index in `notation`. */
        place: z.number().int().positive(),
        message: z.string(),
      }),
    )
    .min(1),
}).meta({ id: 'PreambleRefused' });
export type PreambleRefused = z.infer<typeof PreambleRefused>;
