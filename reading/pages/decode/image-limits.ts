import { Refusal } from '#platform/work/task.ts';
import { maxPixels } from '#shared/api/limits.ts';

/** Pictures with longer sides are refused whatever their area, because formats and decoders fail there. */
const maxSide = 30_000;

/** @throws Refusal if the picture has no size or more than 50 megapixels. Called before anything is decoded. */
export function checkDimensions(displayName: string, width: number, height: number): void {
  if (!(width >= 1 && height >= 1))
    throw new Refusal(`“${displayName}” has no picture in it. Save it again and send the new file.`);
  if (width * height > maxPixels || Math.max(width, height) > maxSide)
    throw new Refusal(
      `“${displayName}” is ${width} × ${height} pixels; at most ${maxPixels / 1_000_000} megapixels can be read. Make it smaller and send it again.`,
    );
}
