/** Highlights LaTeX source with spans, whose classes are in web/features/blog/blog.css. */
import { escapeMarkup } from '#shared/escape-markup.ts';

const tokens =
  /(?<comment>%[^\n]*)|(?<command>\\(?:[a-zA-Z@]+\*?|[^a-zA-Z]))|(?<maths>\$\$?)|(?<bracket>[{}[\]&])/g;

/** @returns HTML; everything else is escaped text */
export function highlightLatex(source: string): string {
  let html = '';
  let at = 0;
  for (const match of source.matchAll(tokens)) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0];
    html += `${escapeMarkup(source.slice(at, match.index))}<span class="code-${kind}">${escapeMarkup(match[0])}</span>`;
    at = match.index + match[0].length;
  }
  return html + escapeMarkup(source.slice(at));
}
