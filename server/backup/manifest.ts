/** A backup's manifest. Written last; its own checksum is stored next to it. */
import { z } from 'zod';

const Entry = z.object({ entry: z.string(), sizeBytes: z.number().int(), sha256: z.string() });

export const BackupManifest = z.object({
  format: z.literal(1),
  product: z.literal('inkproof'),
  createdAt: z.string(),
  /** The newest applied migration's time, in ms; null before the first. */
  migrationLevel: z.number().nullable(),
  /** The same for the embedded backend's accounts; null if they are stored elsewhere or not at all. */
  accountsLevel: z.number().nullable().default(null),
  tables: z.array(
    Entry.extend({
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()),
      rowCount: z.number().int(),
    }),
  ),
  sequences: z.array(
    z.object({ schema: z.string(), name: z.string(), lastValue: z.string(), isCalled: z.boolean() }),
  ),
  files: z.array(Entry.extend({ key: z.string() })),
  /** Files that were removed by the running server between being listed and being read. */
  vanishedFiles: z.number().int(),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

export const manifestEntry = 'manifest.json';
export const manifestChecksumEntry = 'manifest.sha256';

/** PostgreSQL's own schemas, besides those whose names begin with `pg_`. */
export const excludedSchemas = ['information_schema'];
