/** Calls on the library: documents, folders, history, links. All but shared links need a bearer token. */
import { z } from 'zod';
import { Figure, SourceMap } from './conversion.ts';
import { Engine } from './engine.ts';
import { ErrorObject } from './errors.ts';
import { maxLatexLength } from './limits.ts';

/** A saved document keeps the one of its conversion, adjusted with each save. */
export { SourceMap };

/** Longest title or name, in UTF-16 units. */
export const maxTitleLength = 200;
/** Maximum depth of nested folders; one at the top has depth 1. */
export const maxFolderDepth = 10;
/** Most folders of one account. */
export const maxFolders = 1_000;
/** Most documents and folders in one bulk action. */
export const maxBulkItems = 500;
/** Most active links to one document. */
export const maxShares = 20;
/** How long a document stays in the trash, in days. */
export const trashDays = 30;
/** Endings of text files that a document may have in addition to its figures. */
export const textFileEndings = [
  ...['bib', 'bst', 'bbx', 'cbx', 'ist', 'sty', 'cls', 'clo', 'def', 'tex', 'tikz'],
  ...[
    'csv',
    'tsv',
    'dat',
    'txt',
    'c',
    'cpp',
    'h',
    'hs',
    'java',
    'js',
    'jl',
    'm',
    'py',
    'r',
    'rs',
    'sql',
    'ts',
  ],
] as const;
/** Most files of a document in addition to its text. */
export const maxDocumentFiles = 500;
/** Largest picture of a page, in bytes; one prepared by the converter has about 1 MB. */
export const maxPageImageBytes = 10_000_000;
/** Pictures of all pages of one document, in bytes. */
export const maxPageImagesBytes = 200_000_000;
/** Default length of a list (specification, section 9: 100, from 0, by name), and the longest. */
const defaultListLimit = 100;
export const maxListLimit = 1_000;

// PostgreSQL keeps every character but this one
const isStorable = (text: string) => !text.includes('\0');
const Latex = z
  .string()
  .min(1)
  .max(maxLatexLength)
  .refine(isStorable, 'The text contains a character that cannot be stored (U+0000). Remove it.');
const Title = z
  .string()
  .trim()
  .min(1, 'Give it a name.')
  .max(maxTitleLength, `At most ${maxTitleLength} characters.`)
  .refine((text) => !/\p{Cc}/u.test(text), 'A name has no line breaks or control characters.');
const FolderId = z.uuid().nullable();
const SaveId = z
  .uuid()
  .meta({ description: 'An id chosen by the sender: a save repeated with it is made only once.' });
const moment = z.iso.datetime({ offset: true });

/**
 * What an owner marks documents with. A mark is stored and returned as the time it was set (`starred_at`), null if it is
 * not set; a change sets it, and a list and a search filter by it, as true or false (`starred`).
 */
export const documentMarks = ['starred'] as const;
export type DocumentMark = (typeof documentMarks)[number];
/** The marks to be set or removed, or to filter by. */
export type Marks = Partial<Record<DocumentMark, boolean>>;

function forEachMark<Suffix extends string, Value>(
  suffix: Suffix,
  value: Value,
): Record<`${DocumentMark}${Suffix}`, Value> {
  return Object.fromEntries(documentMarks.map((mark) => [`${mark}${suffix}`, value])) as Record<
    `${DocumentMark}${Suffix}`,
    Value
  >;
}

/** In a query: only documents with the mark, or only those without it. */
export const markFilters = forEachMark('', z.stringbool().optional());

/** A document in a list. */
export const DocumentSummary = z
  .object({
    id: z.uuid(),
    title: z.string(),
    folder_id: FolderId,
    version: z.number().int().positive(),
    ...forEachMark('_at', moment.nullable()),
    /** When it was moved to the trash; it is deleted 30 days later. */
    trashed_at: moment.nullable(),
    created_at: moment,
    updated_at: moment,
    /** Of the last version that compiled; null before the first. */
    page_count: z.number().int().positive().nullable(),
    /** The version of the stored PDF; null without one. */
    pdf_version: z.number().int().positive().nullable(),
    /** The newest version that was compiled, with or without success; below `version` while a compile is due. */
    compiled_version: z.number().int().nonnegative(),
    /** The version of the first page's picture; null without one. */
    thumbnail_version: z.number().int().positive().nullable(),
  })
  .meta({ id: 'DocumentSummary' });
export type DocumentSummary = z.infer<typeof DocumentSummary>;

/** GET /api/v1/documents/{id} */
export const SavedDocument = DocumentSummary.extend({
  latex: z.string(),
  /** The text's file name, unless it is `main.tex`. */
  main_name: z.string().optional(),
  engine: Engine.nullable(),
  source_map: SourceMap.nullable(),
  figures: z.array(
    z.object({
      name: z.string(),
      media_type: Figure.shape.media_type,
      size_bytes: z.number().int(),
      /** Of its content; named by a save of its text. */
      version: z.number().int().positive(),
    }),
  ),
  /** Pictures of the pages it was read from, if kept. */
  pages: z.array(z.object({ number: z.number().int(), width: z.number().int(), height: z.number().int() })),
}).meta({ id: 'SavedDocument' });
export type SavedDocument = z.infer<typeof SavedDocument>;

/** POST /api/v1/documents: from text with its figures, or from a conversion whose result still exists. */
export const NewDocument = z
  .object({
    /** Default: the title in the text. */
    title: Title.optional(),
    folder_id: FolderId.default(null),
    latex: Latex.optional(),
    figures: z.array(Figure).default([]),
    conversion_id: z.uuid().optional(),
    engine: Engine.nullable().default(null),
    source_map: SourceMap.nullable().default(null),
    save_id: SaveId.optional(),
  })
  .refine(
    ({ latex, conversion_id }) => (latex === undefined) !== (conversion_id === undefined),
    'Send either `latex` or `conversion_id`.',
  );
export type NewDocument = z.infer<typeof NewDocument>;

/** PATCH /api/v1/documents/{id}: fields left out are unchanged. */
export const DocumentChange = z.object({
  title: Title.optional(),
  folder_id: FolderId.optional(),
  ...forEachMark('', z.boolean().optional()),
  engine: Engine.nullable().optional(),
});
export type DocumentChange = z.infer<typeof DocumentChange>;

const DocumentSort = z.enum(['name', 'updated', 'created']);
const SortOrder = z.enum(['asc', 'desc']);

const page = {
  limit: z.coerce.number().int().min(1).max(maxListLimit).default(defaultListLimit),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
};

/** Query of GET /api/v1/documents. */
export const DocumentList = z.object({
  ...page,
  /** Only those in this folder; `none`: those without a folder. Default: all. */
  folder: z.union([z.uuid(), z.literal('none')]).optional(),
  /** Those in the trash instead. */
  trashed: z.stringbool().default(false),
  ...markFilters,
  sort: DocumentSort.default('name'),
  order: SortOrder.default('asc'),
});
export type DocumentList = z.infer<typeof DocumentList>;

/** `total`: the number without limit and offset. */
export const Documents = z
  .object({ documents: z.array(DocumentSummary), total: z.number().int() })
  .meta({ id: 'Documents' });
export type Documents = z.infer<typeof Documents>;

export const Folder = z
  .object({
    id: z.uuid(),
    name: z.string(),
    parent_id: FolderId,
    created_at: moment,
    updated_at: moment,
    /** Number of documents directly in it, without the trash. */
    document_count: z.number().int().nonnegative(),
  })
  .meta({ id: 'Folder' });
export type Folder = z.infer<typeof Folder>;

/** Query of GET /api/v1/folders, sorted by name; without `parent`, the whole tree. */
export const FolderList = z.object({
  ...page,
  parent: z.union([z.uuid(), z.literal('none')]).optional(),
  order: SortOrder.default('asc'),
});
export type FolderList = z.infer<typeof FolderList>;
export const Folders = z
  .object({ folders: z.array(Folder), total: z.number().int() })
  .meta({ id: 'Folders' });
export type Folders = z.infer<typeof Folders>;

export const NewFolder = z.object({ name: Title, parent_id: FolderId.default(null) });
export type NewFolder = z.infer<typeof NewFolder>;
export const FolderChange = z.object({ name: Title.optional(), parent_id: FolderId.optional() });
export type FolderChange = z.infer<typeof FolderChange>;

/** POST /api/v1/documents/bulk: all items in one transaction, each with its outcome. */
export const BulkAction = z.object({
  action: z
    .enum(['move', 'star', 'unstar', 'trash', 'restore', 'delete'])
    .meta({ description: 'Folders can be moved and deleted; their documents then go to the trash.' }),
  document_ids: z.array(z.uuid()).max(maxBulkItems).default([]),
  folder_ids: z.array(z.uuid()).max(maxBulkItems).default([]),
  /** For `move`: the target; null is the top. */
  folder_id: FolderId.optional(),
});
export type BulkAction = z.infer<typeof BulkAction>;

/** `not_applicable`: the action does not apply, such as deleting a document that is not in the trash. */
export const BulkOutcome = z.enum([
  'done',
  'not_found',
  'not_applicable',
  'limit_exceeded',
  'into_itself',
  'too_deep',
]);
export type BulkOutcome = z.infer<typeof BulkOutcome>;
export const BulkAnswer = z
  .object({
    outcomes: z.array(z.object({ id: z.uuid(), kind: z.enum(['document', 'folder']), outcome: BulkOutcome })),
  })
  .meta({ id: 'BulkAnswer' });
export type BulkAnswer = z.infer<typeof BulkAnswer>;

/** Why a text was saved. */
export const VersionCause = z.enum(['create', 'edit', 'merge', 'assistant', 'restore']);
export type VersionCause = z.infer<typeof VersionCause>;

/** PUT /api/v1/documents/{id}/latex */
export const LatexSave = z.object({
  /** The version that the change was made from. */
  base_version: z.number().int().positive(),
  latex: Latex,
  cause: VersionCause.extract(['edit', 'merge', 'assistant']).default('edit'),
  /** Adjusted to the new text; default: the present one, moved along, without doubts in what changed. */
  source_map: SourceMap.nullable().optional(),
  save_id: SaveId.optional(),
});
export type LatexSave = z.infer<typeof LatexSave>;

/** PUT /api/v1/documents/{id}/figures/{name}/text: the text of one of the document's files. */
export const FileSave = z.object({
  /** The version of the file that the change is based on. */
  base_version: z.number().int().positive(),
  latex: Latex,
});
export type FileSave = z.infer<typeof FileSave>;

/** GET /api/v1/documents/{id}/figures/{name}/versions: the file's earlier texts, newest first. */
export const FileVersions = z
  .object({
    versions: z.array(
      z.object({
        /** When it was replaced or removed. */
        ended_at: moment,
        /** In characters. */
        length: z.number().int(),
      }),
    ),
  })
  .meta({ id: 'FileVersions' });
export type FileVersions = z.infer<typeof FileVersions>;
/** GET …/versions/{ended_at} */
export const FileVersion = z.object({ latex: z.string() }).meta({ id: 'FileVersion' });
export type FileVersion = z.infer<typeof FileVersion>;

/** The saved state, on disk before the response is sent. */
export const Saved = z.object({ version: z.number().int().positive() }).meta({ id: 'Saved' });
export type Saved = z.infer<typeof Saved>;

/** VERSION_CONFLICT, with the current text: nothing was overwritten. */
export const SaveConflict = ErrorObject.extend({
  current: z.object({ version: z.number().int().positive(), latex: z.string() }),
}).meta({ id: 'SaveConflict' });
export type SaveConflict = z.infer<typeof SaveConflict>;

export const VersionSummary = z
  .object({
    version: z.number().int().positive(),
    title: z.string(),
    name: z.string().nullable(),
    cause: VersionCause,
    created_at: moment,
    /** Length of its text, in characters. */
    length: z.number().int(),
  })
  .meta({ id: 'VersionSummary' });
export type VersionSummary = z.infer<typeof VersionSummary>;

/** GET /api/v1/documents/{id}/versions, newest first. */
export const VersionList = z.object(page);
export const Versions = z
  .object({ versions: z.array(VersionSummary), total: z.number().int() })
  .meta({ id: 'Versions' });
export type Versions = z.infer<typeof Versions>;

export const Version = VersionSummary.extend({ latex: z.string() }).meta({ id: 'Version' });
export type Version = z.infer<typeof Version>;

/** PATCH /api/v1/documents/{id}/versions/{number}: a named version is kept as long as the document. */
export const VersionName = z.object({ name: Title.nullable() });
/** POST /api/v1/documents/{id}/versions/{number}/restore: its text becomes the newest version. */
export const VersionRestore = LatexSave.pick({ base_version: true, save_id: true });
/** GET /api/v1/documents/{id}/compare */
export const VersionPair = z.object({
  from: z.coerce.number().int().positive(),
  to: z.coerce.number().int().positive(),
});
export const Comparison = z.object({ from: Version, to: Version }).meta({ id: 'Comparison' });
export type Comparison = z.infer<typeof Comparison>;

/** A read-only link to a document. */
export const Share = z.object({ id: z.uuid(), created_at: moment }).meta({ id: 'Share' });
export type Share = z.infer<typeof Share>;
export const Shares = z.object({ shares: z.array(Share) });
/** POST /api/v1/documents/{id}/shares: the token is only in this response, and is not stored. */
export const NewShare = Share.extend({ token: z.string() }).meta({ id: 'NewShare' });
export type NewShare = z.infer<typeof NewShare>;

/** GET /api/v1/shared/{token}: for anyone with the link. */
export const SharedDocument = z
  .object({
    title: z.string(),
    updated_at: moment,
    page_count: z.number().int().positive().nullable(),
    /** Whether there is a PDF at /api/v1/shared/{token}/document.pdf. */
    has_pdf: z.boolean(),
  })
  .meta({ id: 'SharedDocument' });
export type SharedDocument = z.infer<typeof SharedDocument>;
