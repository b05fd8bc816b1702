import type { Database } from '#server/platform/database/database.ts';

export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
