/**
 * Renders an article's Markdown to HTML that needs no script: formulas by KaTeX, highlighted source, headings with
 * ids.
 */

import katex from 'katex';
import { Marked, type TokenizerAndRendererExtension } from 'marked';
import { escapeMarkup } from '#shared/escape-markup.ts';
import { highlightLatex } from './highlight-latex.ts';

/** @throws Error if a formula cannot be typeset */
export function renderMarkdown(markdown: string): string {
  const ids = new Map<string, number>();
  const marked = new Marked({ gfm: true, async: false, extensions: [displayedFormula, inlineFormula] });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = nameHeading(text, ids);
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text, lang }) {
        const isLatex = lang?.split(' ')[0] === 'latex';
        const html = isLatex ? highlightLatex(text) : escapeMarkup(text);
        // a long line can be scrolled, by keyboard too
        return `<pre tabindex="0"><code>${html}</code></pre>\n`;
      },
      image({ href, title, text }) {
        const [, file, width, height] = /^(.*?)#(\d+)x(\d+)$/.exec(href) ?? [];
        if (!file) throw new Error(`The picture ${href} does not say its size, as in picture.webp#640x480.`);
        const picture = `<img src="${escapeMarkup(file)}" alt="${escapeMarkup(text)}" width="${width}" height="${height}" loading="lazy" decoding="async">`;
        return title ? `<figure>${picture}<figcaption>${escapeMarkup(title)}</figcaption></figure>` : picture;
      },
      paragraph({ tokens }) {
        const html = this.parser.parseInline(tokens);
        return html.startsWith('<figure>') ? `${html}\n` : `<p>${html}</p>\n`;
      },
      table({ header, rows }) {
        const row = (cells: typeof header, name: string) =>
          `<tr>${cells.map((cell) => `<${name}>${this.parser.parseInline(cell.tokens)}</${name}>`).join('')}</tr>`;
        const body = rows.map((cells) => row(cells, 'td')).join('');
        return `<div class="table-frame" tabindex="0" role="group" aria-label="Table"><table><thead>${row(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

function nameHeading(text: string, ids: Map<string, number>): string {
  const id = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const count = (ids.get(id) ?? 0) + 1;
  ids.set(id, count);
  return count === 1 ? id : `${id}-${count}`;
}

/** Rendered by KaTeX as HTML, and as MathML for screen readers; a formula that it rejects fails the build. */
function setFormula(tex: string, displayMode: boolean): string {
  return katex.renderToString(tex, { displayMode, throwOnError: true, strict: 'error', trust: false });
}

const displayedFormula: TokenizerAndRendererExtension = {
  name: 'displayedFormula',
  level: 'block',
  start: (source) => source.indexOf('$$'),
  tokenizer(source) {
    const match = /^\$\$\n?([\s\S]+?)\n?\$\$(?:\n|$)/.exec(source);
    return match ? { type: 'displayedFormula', raw: match[0], tex: match[1] } : undefined;
  },
  renderer: ({ tex }) =>
    `<div class="formula" tabindex="0" role="group" aria-label="Formula">${setFormula(String(tex), true)}</div>\n`,
};

const inlineFormula: TokenizerAndRendererExtension = {
  name: 'inlineFormula',
  level: 'inline',
  start: (source) => source.indexOf('$'),
  tokenizer(source) {
    const match = /^\$([^$\n]+)\$/.exec(source);
    return match ? { type: 'inlineFormula', raw: match[0], tex: match[1] } : undefined;
  },
  renderer: ({ tex }) => setFormula(String(tex), false),
};
