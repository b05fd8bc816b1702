import { pgSchema } from 'drizzle-orm/pg-core';

/** The schema that neither identity backend exposes: Supabase's REST serves `public`, and only the server has rights here. */
export const privateSchema = pgSchema('private');
