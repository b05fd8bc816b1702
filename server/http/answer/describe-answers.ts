/** Answers as the OpenAPI document tells them, in the words that all rooms share. */
import { ErrorObject } from '#shared/api/errors.ts';

/** An error of the catalogue: its codes, and when. */
export const problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: ErrorObject } },
});

/** What every route that is for users may answer. */
export const refusals = {
  401: problem('UNAUTHORIZED: no session, or one that is over.'),
  403: problem('USER_BANNED.'),
};

/** A missing thing and another's answer alike. */
export const notFound = problem('NOT_FOUND: it is not there, or not this account’s.');
