import { expect, test } from 'vitest';
import { describeAuthFailure } from './auth-messages.ts';

test('an unavailable server is not reported as a connection error', () => {
  const retryable = { name: 'AuthRetryableFetchError', message: '{}' };
  expect(describeAuthFailure({ ...retryable, status: 503 })).toBe(
    'The service is not available right now. Please try again in a few minutes.',
  );
  expect(describeAuthFailure({ ...retryable, status: 0 })).toBe(
    'Network error. Check your connection and try again.',
  );
});
