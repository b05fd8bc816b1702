import { describeError } from '#web/lib/api/describe-error.ts';
import { getVersion, restoreVersion } from '#web/lib/api/document-api.ts';
import type { EditorHandle } from '../editor-handle.ts';

export type RestoreOutcome =
  | { kind: 'restored' }
  /** It is already the current text. */
  | { kind: 'same' }
  | { kind: 'failed'; message: string };

/**
 * Makes an earlier text the newest version, in one step. Unsaved changes are saved first, so that they can be
 * restored too.
 */
export async function restoreText(handle: EditorHandle, version: number): Promise<RestoreOutcome> {
  if (!(await handle.save()))
    return {
      kind: 'failed',
      message:
        'Your changes could not be saved first, so nothing was restored. Try again once they are saved.',
    };
  const wanted = await getVersion(handle.documentId, version);
  if (!wanted.ok) return { kind: 'failed', message: describeError(wanted.error) };
  const base = handle.version();
  const result = await restoreVersion(handle.documentId, version, {
    base_version: base,
    save_id: crypto.randomUUID(),
  });
  switch (result.kind) {
    case 'saved':
      if (result.version === base) return { kind: 'same' };
      handle.adopt({ version: result.version, latex: wanted.data.latex });
      return { kind: 'restored' };
    case 'conflict':
      handle.adopt(result.current);
      return {
        kind: 'failed',
        message:
          'The text was changed elsewhere in the meantime; that text is now shown. Nothing was restored.',
      };
    case 'unreachable':
      return { kind: 'failed', message: 'Network error. Check your connection and try again.' };
    case 'refused':
      return { kind: 'failed', message: describeError(result.error) };
  }
}
