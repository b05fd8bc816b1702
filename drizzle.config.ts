import { defineConfig } from 'drizzle-kit';

// `npm run migrations:generate` writes a migration for whatever the features' schema files have changed.
export default defineConfig({
  dialect: 'postgresql',
  schema: './server/*/schema.ts',
  out: process.env.MIGRATIONS_OUT ?? './server/database/migrations',
});
