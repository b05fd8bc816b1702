/** Response descriptions for the OpenAPI document, shared by all rooms. */
import { ErrorObject } from '#shared/api/errors.ts';

/** An error of the catalogue: its codes, and when they occur. */
export const problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: ErrorObject } },
});

/** Possible errors of every route for users. */
export const refusals = {
  401: problem('UNAUTHORIZED: no session, or one that has ended.'),
  403: problem('USER_BANNED.'),
};

/** The same for a missing thing and for somebody else's. */
export const notFound = problem('NOT_FOUND: it does not exist, or belongs to another account.');
