import { describeError as describeWith, type ErrorObject } from '#shared/api/errors.ts';
import { getSiteFacts } from '../page/site-facts.ts';

/**
 * The sentence for an error object, with this installation's support address where the catalogue's text contains one.
 */
export function describeError(error: Pick<ErrorObject, 'code' | 'error' | 'source'>): string {
  return describeWith(error, getSiteFacts().supportEmail);
}
