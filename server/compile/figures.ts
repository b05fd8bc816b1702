/** Turns figures as sent by callers into files for the engines. */

import { invalidInput } from '#platform/errors.ts';
import { removeMetadata } from '#platform/pictures/remove-metadata.ts';
import type { Figure } from '#shared/api/conversion.ts';
import { findNameClash } from '#shared/api/file-name.ts';
import { maxFiguresBytes } from '#shared/api/limits.ts';
import type { Asset } from '#typesetting/index.ts';
import { isSafeAssetName } from '#typesetting/index.ts';

/** @throws ApiError INVALID_INPUT for figures that are too large in total, share a name, or are not base64. */
export function toAssets(figures: readonly Figure[]): Asset[] {
  const clash = findNameClash(figures.map(({ name }) => name));
  if (clash !== null) throw invalidInput(`Two figures have the name “${clash}”.`);
  let total = 0;
  return figures.map(({ name, data_base64 }) => {
    if (!isSafeAssetName(name)) throw invalidInput(`“${name}” is not a valid name for a figure.`);
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data_base64))
      throw invalidInput(`The figure “${name}” is not encoded in base64.`);
    const bytes = Buffer.from(data_base64, 'base64');
    total += bytes.length;
    if (total > maxFiguresBytes)
      throw invalidInput(`The figures are larger than ${maxFiguresBytes / 1_000_000} MB in total.`);
    // a PDF that is passed on should reveal as little as a saved document's
    return { name, bytes: removeMetadata(bytes).bytes };
  });
}
