/** Tables of contents, which LaTeX makes itself. */
import type { Line } from '../lines/lines.ts';

const heads =
  /^(Contents|Table of Contents|Inhaltsverzeichnis|Inhalt|Table des matières|Sommaire|Índice|Índice general|Indice|Inhoudsopgave|Sumário|Spis treści|Obsah|Содержание|Оглавление|Cuprins|İçindekiler)$/i;

/** Whether a heading's text announces a table of contents. */
export const isContentsHeading = (text: string): boolean => heads.test(text);

/** After a heading such as "Contents": how many lines are entries, including the last one's page number. 0 if it is not a table of contents. */
export function readContents(heading: string, following: readonly (Line | null)[]): number {
  if (!isContentsHeading(/\{([^{}]*)\}$/.exec(heading)?.[1] ?? '')) return 0;
  let taken = 0;
  for (const line of following) {
    const last = line ? [...line.glyphs].sort((a, b) => b.x - a.x)[0] : undefined;
    const digits = line
      ? line.glyphs.filter((g) => g.x > line.x1 - 2.2 * line.size && /\d|[ivxl]/.test(g.text)).length
      : 0;
    const before =
      line && last
        ? Math.max(...line.glyphs.filter((g) => g.x < line.x1 - 2.2 * line.size).map((g) => g.x + g.width), 0)
        : 0;
    const isDotted = line !== null && line.glyphs.filter((g) => g.text === '.').length > 6;
    if (
      !line ||
      !last ||
      digits === 0 ||
      (!isDotted && line.x1 - before < 1.2 * line.size && before > 0 && line.x1 - before < 3)
    )
      break;
    taken += 1;
  }
  return taken;
}
