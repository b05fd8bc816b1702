/** Ids, and the error for missing items, which is the same for other people's. */
import { ApiError } from '#platform/errors.ts';

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

export function documentNotFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such document.' });
}

export function folderNotFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such folder.' });
}

export function versionNotFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such version of this document.' });
}

export function fileNotFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such file.' });
}
