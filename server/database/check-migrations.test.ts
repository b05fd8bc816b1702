import { expect, test } from 'vitest';
import { findMissingMigration } from './check-migrations.ts';

test('every change of a schema has its migration: npm run migrations:generate', () => {
  expect(findMissingMigration()).toBe('');
});
