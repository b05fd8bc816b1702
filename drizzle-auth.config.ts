import { defineConfig } from 'drizzle-kit';

// `npm run migrations:generate` writes a migration for whatever the embedded backend's own schema has changed.
export default defineConfig({
  dialect: 'postgresql',
  schema: './server/identity/auth-schema.ts',
  out: process.env.MIGRATIONS_OUT ?? './server/database/auth-migrations',
});
