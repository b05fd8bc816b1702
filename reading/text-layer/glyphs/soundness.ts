/** Decides whether a page's text layer can be trusted. */
import type { PageModel } from '../model.ts';

/** Null if sound, otherwise why not. */
export function soundness(model: PageModel): string | null {
  const count = model.glyphs.length;
  const pageArea = model.width * model.height;
  const pictures = model.drawings.filter((d) => d.kind === 'image');
  const covered = Math.max(
    0,
    ...pictures.map(
      (d) =>
        Math.max(0, Math.min(d.x1, model.width) - Math.max(d.x0, 0)) *
        Math.max(0, Math.min(d.y1, model.height) - Math.max(d.y0, 0)),
    ),
  );
  if (count === 0)
    return model.hiddenGlyphs > 0 ? 'the text is an invisible layer over a scan' : 'there is no text layer';
  if (model.hiddenGlyphs > count) return 'the text is an invisible layer over a scan';
  if (covered > 0.8 * pageArea && pictures.length > 0) return 'a picture covers the page';
  if (model.unknownGlyphs > 0.15 * (count + model.unknownGlyphs))
    return 'the fonts do not say which characters they draw';
  if (count < 12 && covered > 0.2 * pageArea) return 'the page is a picture with a few words';
  const letters = model.glyphs.filter((g) => /\p{L}/u.test(g.text)).length;
  const marks = model.glyphs.filter((g) => g.font.family === 'none' && /[\p{C}\p{So}]/u.test(g.text)).length;
  if (count > 80 && (letters < 0.15 * count || marks > 0.2 * count)) return 'the characters make no words';
  return null;
}
