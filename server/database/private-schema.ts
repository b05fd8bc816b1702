import { pgSchema } from 'drizzle-orm/pg-core';

/** What neither identity backend exposes: a Supabase's REST serves `public`, and nobody but the server has rights here. */
export const privateSchema = pgSchema('private');
