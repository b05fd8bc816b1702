/** Writes a Word document with native equations, lists and headings. */
import { strToU8, zipSync } from 'fflate';
import { printCount } from '#latex/reader/counting.ts';
import { printReference } from '#latex/reader/print-reference.ts';
import type { Block, Inline } from '#latex/reader/tree.ts';
import { escapeXml } from '../formula/math-node.ts';
import { renderMath } from '../formula/render-math.ts';
import { wordHighlight, writeOmml } from '../formula/write-omml.ts';
import {
  contentTypes,
  type Numbering,
  namespaces,
  packageRelationships,
  type Relationship,
  writeFootnotes,
  writeNumbering,
  writeProperties,
  writeRelationships,
  writeStyles,
  xmlHead,
} from './docx-parts.ts';
import { findFigure, pictureSize, pictureType, type WriterInput } from './references.ts';

/** 16 cm between the margins of an A4 page, in EMU (360 000 per centimetre). */
const textWidthEmu = 16 * 360_000;
const page =
  '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1418" w:right="1418" w:bottom="1418" w:left="1418" w:header="709" w:footer="709" w:gutter="0"/></w:sectPr>';

export function writeDocx(input: WriterInput): Uint8Array {
  const writer = new DocxWriter(input);
  const body = writer.blocks(input.document.blocks, {});
  const { language } = input.document;
  const files: Record<string, Uint8Array> = {
    '[Content_Types].xml': strToU8(contentTypes),
    '_rels/.rels': strToU8(packageRelationships),
    'docProps/core.xml': strToU8(writeProperties(input.title, language)),
    'word/document.xml': strToU8(
      `${xmlHead}<w:document ${namespaces}><w:body>${body}${page}</w:body></w:document>`,
    ),
    'word/styles.xml': strToU8(writeStyles(language)),
    'word/numbering.xml': strToU8(writeNumbering(writer.numberings)),
    'word/footnotes.xml': strToU8(writeFootnotes(writer.notes)),
    'word/_rels/document.xml.rels': strToU8(writeRelationships(writer.relationships)),
    'word/_rels/footnotes.xml.rels': strToU8(
      writeRelationships(writer.relationships.filter(({ type }) => type === 'hyperlink' || type === 'image')),
    ),
    ...writer.media,
  };
  return zipSync(files, { mtime: new Date('2000-01-01T00:00:00Z') });
}

/** Properties that a paragraph inherits from its enclosing blocks. */
interface Around {
  style?: string;
  align?: 'left' | 'center' | 'right';
  /** Indent in twentieths of a point. */
  left?: number;
  depth?: number;
  isItalic?: boolean;
}

class DocxWriter {
  readonly numberings: Numbering[] = [];
  readonly notes: string[] = [];
  readonly media: Record<string, Uint8Array> = {};
  readonly relationships: Relationship[] = [
    { id: 'rId1', type: 'styles', target: 'styles.xml' },
    { id: 'rId2', type: 'numbering', target: 'numbering.xml' },
    { id: 'rId3', type: 'footnotes', target: 'footnotes.xml' },
  ];
  readonly #input: WriterInput;
  #ids = 0;

  constructor(input: WriterInput) {
    this.#input = input;
  }

  blocks(blocks: readonly Block[], around: Around): string {
    return blocks.map((block) => this.#block(block, around)).join('');
  }

  #paragraph(inner: string, around: Around, extra = ''): string {
    const style = around.style ? `<w:pStyle w:val="${around.style}"/>` : '';
    const indent = around.left && !extra.includes('<w:numPr>') ? `<w:ind w:left="${around.left}"/>` : '';
    const align = around.align && around.align !== 'left' ? `<w:jc w:val="${around.align}"/>` : '';
    return `<w:p><w:pPr>${style}${extra}${indent}${align}</w:pPr>${inner}</w:p>`;
  }

  #block(block: Block, around: Around): string {
    const runs = (content: readonly Inline[]) => this.#inlines(content, around.isItalic ? '<w:i/>' : '');
    switch (block.kind) {
      case 'heading': {
        const style = block.id === 'title' ? 'Title' : `Heading${block.level}`;
        const number = block.number ? text(`${block.number}\u2002`) : '';
        return this.#paragraph(this.#bookmark(block.id) + number + runs(block.content), { ...around, style });
      }
      case 'paragraph': {
        const align = block.align === 'left' ? around.align : block.align;
        return this.#paragraph(runs(block.content), { ...around, align });
      }
      case 'formula':
        return this.#display(block, around);
      case 'list':
        return this.#list(block, around);
      case 'table':
        return this.#table(block) + (around.style === 'cell' ? '' : this.#paragraph('', {}));
      case 'code':
        return this.#code(block.text, around);
      case 'source':
        return (
          this.#code(block.tex, around) +
          this.#paragraph(text(`${block.what}, as LaTeX`), { style: 'Caption' })
        );
      case 'quote':
        return this.blocks(block.blocks, { ...around, style: 'Quote' });
      case 'statement': {
        const [first, ...rest] = block.blocks;
        const inner = { ...around, isItalic: block.isItalic || around.isItalic };
        const head = this.#bookmark(block.id) + this.#inlines(block.head, '') + text(' ');
        if (first?.kind !== 'paragraph')
          return this.#paragraph(head, around) + this.blocks(block.blocks, inner);
        const words = this.#inlines(first.content, inner.isItalic ? '<w:i/>' : '');
        return this.#paragraph(head + words, around) + this.blocks(rest, inner);
      }
      case 'float':
        return this.#paragraph(this.#bookmark(block.id), around) + this.blocks(block.blocks, around);
      case 'caption': {
        const name = [block.name, block.number].filter(Boolean).join(' ');
        const head = name ? text(`${name}. `, '<w:b/>') : '';
        return this.#paragraph(head + runs(block.content), { style: 'Caption' });
      }
      case 'lines':
        return block.lines
          .map(({ depth, content }) =>
            this.#paragraph(runs(content), { left: (around.left ?? 0) + 400 * depth }),
          )
          .join('');
      case 'rule':
        return this.#paragraph(
          '',
          around,
          '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="auto"/></w:pBdr>',
        );
      default:
        return block satisfies never;
    }
  }

  #display({ tex, number, ids }: Extract<Block, { kind: 'formula' }>, around: Around): string {
    const anchors = ids.map((id) => this.#bookmark(id)).join('');
    const formula = this.#formula(tex, true);
    if (number === null) {
      const isEquation = formula.startsWith('<m:oMath>');
      const shown = isEquation ? `<m:oMathPara>${formula}</m:oMathPara>` : formula;
      return this.#paragraph(anchors + shown, {
        left: around.left,
        align: isEquation ? undefined : 'center',
      });
    }
    const tab = '<w:r><w:tab/></w:r>';
    return this.#paragraph(`${anchors}${tab}${formula}${tab}${text(`(${number})`)}`, { style: 'Equation' });
  }

  #list({ items, counting, isDescription }: Extract<Block, { kind: 'list' }>, around: Around): string {
    const depth = around.depth ?? 0;
    const left = 425 * (depth + 1);
    const isBullets = !counting && !isDescription && items.every(({ label }) => label === null);
    const numId = counting || isBullets ? this.numberings.push({ counting, depth }) : 0;
    // an item's label that equals the list's next number is left to Word's own counting
    let next = 1;
    return items
      .map(({ label, blocks }) => {
        const inner: Around = { ...around, style: undefined, left, depth: depth + 1 };
        const [first, ...rest] = blocks;
        const content = first?.kind === 'paragraph' ? first.content : [];
        const others = first?.kind === 'paragraph' ? rest : blocks;
        const words = this.#inlines(content, around.isItalic ? '<w:i/>' : '');
        const isCounted = numId > 0 && (isBullets || isCountedLabel(label, counting, next));
        if (isCounted) next++;
        const paragraph = isCounted
          ? this.#paragraph(words, inner, `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${numId}"/></w:numPr>`)
          : this.#labelled(label ?? [], words, left, isDescription);
        return paragraph + this.blocks(others, inner);
      })
      .join('');
  }

  /** An item with its own label, which hangs in the margin like a number. */
  #labelled(label: readonly Inline[], words: string, left: number, isDescription: boolean): string {
    const head = this.#inlines(label, isDescription ? '<w:b/>' : '');
    const gap = isDescription ? text(' ') : '<w:r><w:tab/></w:r>';
    return `<w:p><w:pPr><w:ind w:left="${left}" w:hanging="425"/></w:pPr>${head}${gap}${words}</w:p>`;
  }

  #table({ rows, headRows, isRuled }: Extract<Block, { kind: 'table' }>): string {
    const width = Math.max(1, ...rows.map((row) => row.reduce((sum, { columns }) => sum + columns, 0)));
    const line = (side: string, size: number) =>
      `<w:${side} w:val="single" w:sz="${size}" w:space="0" w:color="auto"/>`;
    const inside = isRuled
      ? ['left', 'right', 'insideH', 'insideV'].map((side) => line(side, 4)).join('')
      : '';
    const [sides, between] = isRuled
      ? [line('left', 4) + line('bottom', 8) + line('right', 4), line('insideH', 4) + line('insideV', 4)]
      : [line('bottom', 8), ''];
    const borders = `<w:tblBorders>${line('top', 8)}${inside ? sides + between : sides}</w:tblBorders>`;
    const body = rows.map((row, index) => {
      const isHead = index < headRows;
      const rule = index === headRows - 1 ? `<w:tcBorders>${line('bottom', 6)}</w:tcBorders>` : '';
      const cells = row.map(({ blocks, columns, align }) => {
        const span = columns > 1 ? `<w:gridSpan w:val="${columns}"/>` : '';
        const inner = this.blocks(blocks, { align, style: undefined });
        // a cell has to end with a paragraph, or Word reports the file as damaged
        const closing = inner.endsWith('</w:p>') ? '' : '<w:p/>';
        return `<w:tc><w:tcPr>${span}${rule}</w:tcPr>${inner}${closing}</w:tc>`;
      });
      const head = isHead ? '<w:trPr><w:tblHeader/></w:trPr>' : '';
      return `<w:tr>${head}${cells.join('')}</w:tr>`;
    });
    const grid = '<w:gridCol/>'.repeat(width);
    return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/><w:jc w:val="center"/>${borders}<w:tblCellMar><w:left w:w="100" w:type="dxa"/><w:right w:w="100" w:type="dxa"/></w:tblCellMar></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${body.join('')}</w:tbl>`;
  }

  #code(source: string, around: Around): string {
    const lines = source.split('\n').map((line) => text(line));
    return this.#paragraph(lines.join('<w:r><w:br/></w:r>'), { style: 'Code', left: around.left });
  }

  #bookmark(id: string): string {
    const number = this.#ids++;
    return `<w:bookmarkStart w:id="${number}" w:name="${id}"/><w:bookmarkEnd w:id="${number}"/>`;
  }

  #inlines(content: readonly Inline[], properties: string): string {
    return content.map((one) => this.#inline(one, properties)).join('');
  }

  #inline(one: Inline, properties: string): string {
    switch (one.kind) {
      case 'text':
        return text(one.text, properties);
      case 'styled':
        return this.#inlines(one.content, addStyle(properties, one.style));
      case 'formula':
        return this.#formula(one.tex, one.isDisplay, properties);
      case 'link': {
        const inner = this.#inlines(one.content, `${properties}<w:color w:val="1F4E9E"/>`);
        return one.address
          ? `<w:hyperlink r:id="${this.#relate('hyperlink', one.address)}">${inner}</w:hyperlink>`
          : inner;
      }
      case 'reference': {
        const { text: shown, id } = printReference(one, this.#input.document.labels);
        const run = text(shown, properties);
        return id ? `<w:hyperlink w:anchor="${id}">${run}</w:hyperlink>` : run;
      }
      case 'footnote': {
        const number = this.notes.push('');
        this.notes[number - 1] = this.#inlines(one.content, '');
        return `<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="${number}"/></w:r>`;
      }
      case 'line-break':
        return '<w:r><w:br/></w:r>';
      case 'image':
        return this.#image(one, properties);
      case 'anchor':
        return this.#bookmark(one.id);
      default:
        return one satisfies never;
    }
  }

  #formula(tex: string, isDisplay: boolean, properties = ''): string {
    const math = renderMath(tex, isDisplay, this.#input.document.labels);
    if (!math) return text(tex, addStyle('', 'code'));
    return writeOmml(math, properties.includes(wordHighlight));
  }

  #relate(type: Relationship['type'], target: string): string {
    const id = `rId${this.relationships.length + 1}`;
    this.relationships.push({ id, type, target });
    return id;
  }

  #image({ name, width }: Extract<Inline, { kind: 'image' }>, properties: string): string {
    const figure = findFigure(name, this.#input.figures);
    const type = figure && pictureType(figure.bytes);
    const size = figure && pictureSize(figure.bytes);
    if (!figure || !type || !size?.width || !size.height) return text(`[${name}]`, properties);
    const target = `media/${Object.keys(this.media).length + 1}.${type}`;
    this.media[`word/${target}`] = figure.bytes;
    const id = this.#relate('image', target);
    // without a width: 96 pixels per inch, as in office programs
    const natural = (size.width / 96) * 914_400;
    const cx = Math.round(Math.min(textWidthEmu, width ? width * textWidthEmu : natural));
    const cy = Math.round((cx * size.height) / size.width);
    const number = this.#ids++;
    return `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${cx}" cy="${cy}"/><wp:docPr id="${number + 1}" name="${escapeXml(name)}" descr="${escapeXml(name)}"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="${number + 1}" name="${escapeXml(name)}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
  }
}

/** True if Word's own numbering produces this label. */
function isCountedLabel(
  label: readonly Inline[] | null,
  counting: Extract<Block, { kind: 'list' }>['counting'],
  value: number,
): boolean {
  const only = label?.[0];
  return (
    counting !== null &&
    label?.length === 1 &&
    only?.kind === 'text' &&
    only.text === printCount(counting, value)
  );
}

function addStyle(properties: string, style: Extract<Inline, { kind: 'styled' }>['style']): string {
  const added = {
    bold: '<w:b/>',
    italic: '<w:i/>',
    code: '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/>',
    underline: '<w:u w:val="single"/>',
    highlight: wordHighlight,
    'small-caps': '<w:smallCaps/>',
    superscript: '<w:vertAlign w:val="superscript"/>',
    subscript: '<w:vertAlign w:val="subscript"/>',
  }[style];
  return properties.includes(added) ? properties : properties + added;
}

/** The order of a run's properties that the schema requires. */
const order = ['rFonts', 'b', 'i', 'smallCaps', 'color', 'highlight', 'u', 'vertAlign'];

function text(value: string, properties = ''): string {
  if (value === '') return '';
  const sorted = (properties.match(/<[^>]*>/g) ?? []).sort((a, b) => place(a) - place(b)).join('');
  const style = sorted ? `<w:rPr>${sorted}</w:rPr>` : '';
  return `<w:r>${style}<w:t xml:space="preserve">${escapeXml(value)}</w:t></w:r>`;
}

const place = (property: string) => order.indexOf(/<w:(\w+)/.exec(property)![1]!);
