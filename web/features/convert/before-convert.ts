import type { ErrorObject } from '#shared/api/errors.ts';

export type Permission = { isAllowed: true } | { isAllowed: false; error: ErrorObject };

/**
 * Asked once before every conversion begins, with the number of pages it will read (null when only the server can
 * count them). The one place where an account and credits will be asked for; until then a visitor may convert.
 */
export async function beforeConvert(_request: { pageCount: number | null }): Promise<Permission> {
  return { isAllowed: true };
}
