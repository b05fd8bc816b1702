/** Writes one self-contained HTML page with MathML and pictures, without scripts. */

import { printReference } from '#latex/reader/print-reference.ts';
import type { Block, Inline, Style } from '#latex/reader/tree.ts';
import { escapeXml, writeMath } from '../formula/math-node.ts';
import { renderMath } from '../formula/render-math.ts';
import { findFigure, pictureType, type WriterInput } from './references.ts';

const style = `
body { font: 1.0625rem/1.6 "Latin Modern Roman", Cambria, Georgia, serif; max-width: 44rem; margin: 3rem auto; padding: 0 1.25rem; color: #1c1b19; background: #fff; overflow-wrap: break-word }
h1, h2, h3, h4, h5 { line-height: 1.25; margin: 1.8em 0 .6em }
h1.title { text-align: center; margin-top: 0 }
math { font-family: "Latin Modern Math", "STIX Two Math", "Cambria Math", math }
.display { display: flex; align-items: center; gap: 1rem; margin: 1em 0; overflow-x: auto }
.display > math { flex: 1 }
.center { text-align: center } .right { text-align: right }
.statement { margin: 1em 0 } .statement > p:first-child { margin-top: 0 }
.italic { font-style: italic } .italic math { font-style: normal }
.small-caps { font-variant: small-caps }
figure { margin: 1.5em 0; text-align: center } figcaption, .caption { text-align: center; font-size: .95em }
img { max-width: 100%; height: auto }
table { border-collapse: collapse; margin: 1em auto } th, td { padding: .25em .8em; vertical-align: top }
table { border-block: 1.5px solid } thead tr:last-child > * { border-bottom: 1px solid }
table.ruled :is(th, td) { border: 1px solid }
td > p, th > p, li > p:first-child, dd > p:first-child { margin: 0 }
ol, ul { padding-left: 2.2em } li.labelled { list-style: none; position: relative }
li.labelled > .label { position: absolute; right: calc(100% + .5em); white-space: nowrap }
pre { padding: .8em 1em; background: #f5f3ef; overflow-x: auto; font-size: .9em; line-height: 1.45 }
.lines { margin: 1em 0; padding: .6em 1em; border-block: 1px solid; text-align: left } .lines p { margin: 0 }
.footnotes { border-top: 1px solid; margin-top: 3em; font-size: .9em }
@media (prefers-color-scheme: dark) { body { color: #e8e6e1; background: #191816 } pre { background: #26241f } a { color: #9db8f5 } }
@media print { body { margin: 0; max-width: none; font-size: 11pt } }
`;

export function writeHtml(input: WriterInput): string {
  const writer = new HtmlWriter(input);
  const body = writer.blocks(input.document.blocks);
  return `<!doctype html>
<html lang="${escapeXml(input.document.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${escapeXml(input.title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
${writer.footnotes()}</body>
</html>
`;
}

const tags: Record<Style, string> = {
  bold: 'strong',
  italic: 'em',
  code: 'code',
  underline: 'u',
  highlight: 'mark',
  'small-caps': 'span class="small-caps"',
  superscript: 'sup',
  subscript: 'sub',
};

class HtmlWriter {
  readonly #input: WriterInput;
  readonly #notes: string[] = [];

  constructor(input: WriterInput) {
    this.#input = input;
  }

  blocks(blocks: readonly Block[]): string {
    return blocks.map((block) => this.#block(block)).join('\n');
  }

  footnotes(): string {
    if (this.#notes.length === 0) return '';
    const items = this.#notes.map((note, index) => `<li id="note-${index + 1}">${note}</li>`);
    return `<section class="footnotes"><ol>\n${items.join('\n')}\n</ol></section>\n`;
  }

  #block(block: Block): string {
    switch (block.kind) {
      case 'heading': {
        const isTitle = block.id === 'title';
        const tag = isTitle ? 'h1' : `h${block.level + 1}`;
        const number = block.number ? `${block.number}\u2002` : '';
        const attributes = isTitle ? ' class="title"' : '';
        return `<${tag} id="${block.id}"${attributes}>${number}${this.#inlines(block.content)}</${tag}>`;
      }
      case 'paragraph': {
        const align = block.align === 'left' ? '' : ` class="${block.align}"`;
        return `<p${align}>${this.#inlines(block.content)}</p>`;
      }
      case 'formula': {
        const anchors = block.ids.map((id) => `<span id="${id}"></span>`).join('');
        const number = block.number ? `<span class="number">(${escapeXml(block.number)})</span>` : '';
        return `<div class="display">${anchors}${this.#formula(block.tex, true)}${number}</div>`;
      }
      case 'list':
        return this.#list(block);
      case 'table':
        return this.#table(block);
      case 'code':
        return `<pre><code>${escapeXml(block.text)}</code></pre>`;
      case 'source':
        return `<figure><pre><code>${escapeXml(block.tex)}</code></pre><figcaption>${escapeXml(block.what)}, as LaTeX</figcaption></figure>`;
      case 'quote':
        return `<blockquote>\n${this.blocks(block.blocks)}\n</blockquote>`;
      case 'statement': {
        const [first, ...rest] = block.blocks;
        const head = this.#inlines(block.head);
        const inner =
          first?.kind === 'paragraph'
            ? [
                `<p>${head} <span${block.isItalic ? ' class="italic"' : ''}>${this.#inlines(first.content)}</span></p>`,
              ]
            : [`<p>${head}</p>`, ...(first ? [this.#block(first)] : [])];
        const others = `<div${block.isItalic ? ' class="italic"' : ''}>${this.blocks(rest)}</div>`;
        return `<div class="statement" id="${block.id}">${inner.join('\n')}${rest.length > 0 ? others : ''}</div>`;
      }
      case 'float':
        return `<figure id="${block.id}">\n${this.blocks(block.blocks)}\n</figure>`;
      case 'caption': {
        const name = [block.name, block.number].filter(Boolean).join(' ');
        return `<div class="caption">${name ? `<strong>${escapeXml(name)}.</strong> ` : ''}${this.#inlines(block.content)}</div>`;
      }
      case 'lines': {
        const lines = block.lines.map(
          ({ depth, content }) => `<p style="margin-left: ${depth * 1.5}em">${this.#inlines(content)}</p>`,
        );
        return `<div class="lines">${lines.join('\n')}</div>`;
      }
      case 'rule':
        return '<hr>';
      default:
        return block satisfies never;
    }
  }

  #list({ items, counting, isDescription }: Extract<Block, { kind: 'list' }>): string {
    if (isDescription) {
      const entries = items.map(
        ({ label, blocks }) =>
          `<dt><strong>${this.#inlines(label ?? [])}</strong></dt>\n<dd>${this.blocks(blocks)}</dd>`,
      );
      return `<dl>\n${entries.join('\n')}\n</dl>`;
    }
    const entries = items.map(({ label, blocks }) =>
      label
        ? `<li class="labelled"><span class="label">${this.#inlines(label)}</span>${this.blocks(blocks)}</li>`
        : `<li>${this.blocks(blocks)}</li>`,
    );
    const tag = counting ? 'ol' : 'ul';
    return `<${tag}>\n${entries.join('\n')}\n</${tag}>`;
  }

  #table({ rows, headRows, isRuled }: Extract<Block, { kind: 'table' }>): string {
    const write = (row: (typeof rows)[number], tag: string) =>
      `<tr>${row
        .map(({ blocks, columns, align }) => {
          const span = columns > 1 ? ` colspan="${columns}"` : '';
          const only = blocks[0];
          const inner =
            blocks.length === 1 && only?.kind === 'paragraph'
              ? this.#inlines(only.content)
              : this.blocks(blocks);
          return `<${tag}${span} style="text-align: ${align}">${inner}</${tag}>`;
        })
        .join('')}</tr>`;
    const head = rows.slice(0, headRows).map((row) => write(row, 'th'));
    const body = rows.slice(headRows).map((row) => write(row, 'td'));
    const thead = head.length > 0 ? `<thead>${head.join('\n')}</thead>\n` : '';
    return `<table${isRuled ? ' class="ruled"' : ''}>\n${thead}<tbody>${body.join('\n')}</tbody>\n</table>`;
  }

  #inlines(content: readonly Inline[]): string {
    return content.map((one) => this.#inline(one)).join('');
  }

  #inline(one: Inline): string {
    switch (one.kind) {
      case 'text':
        return escapeXml(one.text);
      case 'styled': {
        const tag = tags[one.style];
        return `<${tag}>${this.#inlines(one.content)}</${tag.split(' ')[0]}>`;
      }
      case 'formula':
        return this.#formula(one.tex, one.isDisplay);
      case 'link':
        return one.address
          ? `<a href="${escapeXml(one.address)}" rel="noreferrer">${this.#inlines(one.content)}</a>`
          : this.#inlines(one.content);
      case 'reference': {
        const { text, id } = printReference(one, this.#input.document.labels);
        return id ? `<a href="#${id}">${escapeXml(text)}</a>` : escapeXml(text);
      }
      case 'footnote': {
        this.#notes.push(this.#inlines(one.content));
        const number = this.#notes.length;
        return `<sup><a href="#note-${number}">${number}</a></sup>`;
      }
      case 'line-break':
        return '<br>';
      case 'image':
        return this.#image(one);
      case 'anchor':
        return `<span id="${one.id}"></span>`;
      default:
        return one satisfies never;
    }
  }

  #formula(tex: string, isDisplay: boolean): string {
    const math = renderMath(tex, isDisplay, this.#input.document.labels);
    return math ? writeMath(math) : `<code class="formula">${escapeXml(tex)}</code>`;
  }

  #image({ name, width }: Extract<Inline, { kind: 'image' }>): string {
    const figure = findFigure(name, this.#input.figures);
    const type = figure && pictureType(figure.bytes);
    if (!figure || !type) return `<em>[${escapeXml(name)}]</em>`;
    const size = width ? ` style="width: ${Math.round(width * 100)}%"` : '';
    return `<img src="data:image/${type};base64,${Buffer.from(figure.bytes).toString('base64')}" alt="${escapeXml(name)}"${size}>`;
  }
}
