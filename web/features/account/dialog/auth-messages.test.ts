import { expect, test } from 'vitest';
import { describeAuthFailure } from './auth-messages.ts';

test('a server that is away is not called a fault of the connection', () => {
  const retryable = { name: 'AuthRetryableFetchError', message: '{}' };
  expect(describeAuthFailure({ ...retryable, status: 503 })).toBe(
    'The service is not available right now. Please try again in a few minutes.',
  );
  expect(describeAuthFailure({ ...retryable, status: 0 })).toBe(
    'Network error. Check your connection and try again.',
  );
});
