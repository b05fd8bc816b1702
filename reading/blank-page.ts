/** Pages with nothing on them: the same for every reader, and free. */
import type { ErrorObject, Warning } from '#shared/api/errors.ts';
import type { TranscribedPage } from './transcriber.ts';

export function isBlank({ body, title, figures }: Pick<TranscribedPage, 'body' | 'title' | 'figures'>) {
  return body.trim() === '' && !title && figures.length === 0;
}

export const blankWarning: Warning = {
  code: 'PAGE_EMPTY',
  message: 'Nothing is written on this page. It costs nothing.',
};

/** A conversion in which every page is blank. */
export const blankDocument: ErrorObject = {
  code: 'INVALID_INPUT',
  error:
    'Nothing is written on these pages, and nothing was charged. Faint writing is read from a darker scan.',
  source: 'user',
};
