import { expect, test } from 'vitest';
import { findMissingMigration } from './check-migrations.ts';

test('every schema change has its migration: npm run migrations:generate', () => {
  expect(findMissingMigration()).toBe('');
});
