import { defineConfig } from 'vitest/config';

// Three kinds: unit, database (*.db.test.ts: a real PostgreSQL), and the browser's own under e2e/ (Playwright).
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{shared,server,web,bench,setup}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.db.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'database',
          include: ['server/**/*.db.test.ts'],
          globalSetup: ['test-support/database-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
