/** What a save of a text is answered with: the document's own text, an earlier version of it, or the text of a file. */
import type { Context } from 'hono';
import { ApiError } from '#platform/errors.ts';
import { SaveConflict, Saved } from '#shared/api/library.ts';
import type { AppEnv } from '../../http/types.ts';
import { answer, invalid, notFound, privateHeaders, refusals } from '../route-helpers.ts';
import type { SaveOutcome } from './save-latex.ts';

export const saveAnswers = {
  200: answer('On disk; the version it is now', Saved),
  400: invalid,
  ...refusals,
  404: notFound,
  409: answer('VERSION_CONFLICT, with the current text', SaveConflict),
};

export function answerSave(c: Context<AppEnv>, outcome: SaveOutcome) {
  if (outcome.kind === 'saved') return c.json({ version: outcome.version }, 200, privateHeaders);
  const conflict: SaveConflict = {
    ...new ApiError('VERSION_CONFLICT').toObject(),
    current: outcome.current,
  };
  return c.json(conflict, 409, privateHeaders);
}
