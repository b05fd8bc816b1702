/** Limits the JSON of one call. Uploads are streamed and have their own limits. */
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { invalidInput } from '#platform/errors.ts';
import { maxFiguresBytes, maxLatexLength } from '#shared/api/limits.ts';
import type { AppEnv } from '../types.ts';

/** The longest LaTeX in JSON's worst case (4 bytes a unit, escaping included), its figures in base64, and 100 kB. */
export const maxJsonBytes = 4 * maxLatexLength + Math.ceil((maxFiguresBytes * 4) / 3) + 100_000;

/** @throws ApiError INVALID_INPUT for a longer body, by its header or while it arrives. */
export function limitJsonBodies(): MiddlewareHandler<AppEnv> {
  const limit = bodyLimit({
    maxSize: maxJsonBytes,
    onError: () => {
      throw invalidInput(
        `The request is larger than this call accepts (${Math.floor(maxJsonBytes / 1_000_000)} MB).`,
      );
    },
  });
  return (c, next) => {
    const isUpload = /^multipart\/form-data\b/i.test(c.req.header('Content-Type') ?? '');
    return isUpload ? next() : limit(c, next);
  };
}
