import { describeError as describeWith, type ErrorObject } from '#shared/api/errors.ts';
import { getSiteFacts } from '../page/site-facts.ts';

/** The sentence for an error object; where the catalogue's names the address to write to, this installation's. */
export function describeError(error: Pick<ErrorObject, 'code' | 'error' | 'source'>): string {
  return describeWith(error, getSiteFacts().supportEmail);
}
