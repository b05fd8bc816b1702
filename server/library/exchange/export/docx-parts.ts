/** The parts of a .docx that are the same, or nearly the same, for every document (ECMA-376 part 1). */

import type { Counting } from '#latex/reader/tree.ts';
import { escapeXml } from '../formula/math-node.ts';

export const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
export const namespaces =
  `xmlns:w="${word}" xmlns:r="${office}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" ` +
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" ' +
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"';

const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

export const contentTypes = `${xmlHead}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="jpeg" ContentType="image/jpeg"/><Default Extension="gif" ContentType="image/gif"/><Override PartName="/word/document.xml" ContentType="${main}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${main}.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="${main}.numbering+xml"/><Override PartName="/word/footnotes.xml" ContentType="${main}.footnotes+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`;

export interface Relationship {
  id: string;
  type: 'styles' | 'numbering' | 'footnotes' | 'image' | 'hyperlink';
  target: string;
}

export function writeRelationships(relationships: readonly Relationship[]): string {
  const entries = relationships.map(
    ({ id, type, target }) =>
      `<Relationship Id="${id}" Type="${office}/${type}" Target="${escapeXml(target)}"${type === 'hyperlink' ? ' TargetMode="External"' : ''}/>`,
  );
  return `${xmlHead}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries.join('')}</Relationships>`;
}

export const packageRelationships = `${xmlHead}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`;

export function writeProperties(title: string, language: string): string {
  return `${xmlHead}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title><dc:language>${escapeXml(language)}</dc:language></cp:coreProperties>`;
}

interface StyleRule {
  id: string;
  name: string;
  paragraph?: string;
  run?: string;
}

const heading = (level: number, size: number): StyleRule => ({
  id: `Heading${level}`,
  name: `heading ${level}`,
  paragraph: `<w:keepNext/><w:spacing w:before="${360 - level * 40}" w:after="100"/><w:outlineLvl w:val="${level - 1}"/>`,
  run: `<w:b/><w:sz w:val="${size}"/>`,
});

const styles: readonly StyleRule[] = [
  {
    id: 'Title',
    name: 'Title',
    paragraph: '<w:spacing w:after="200"/><w:jc w:val="center"/>',
    run: '<w:sz w:val="40"/>',
  },
  heading(1, 32),
  heading(2, 27),
  heading(3, 24),
  heading(4, 22),
  { id: 'Quote', name: 'Quote', paragraph: '<w:ind w:left="567" w:right="567"/>' },
  {
    id: 'Caption',
    name: 'caption',
    paragraph: '<w:spacing w:before="80" w:after="160"/><w:jc w:val="center"/>',
    run: '<w:sz w:val="20"/>',
  },
  {
    id: 'Code',
    name: 'Code',
    paragraph:
      '<w:shd w:val="clear" w:color="auto" w:fill="F3F1EC"/><w:spacing w:after="0" w:line="240" w:lineRule="auto"/>',
    run: '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/><w:sz w:val="19"/>',
  },
  {
    id: 'Equation',
    name: 'Equation',
    paragraph: '<w:tabs><w:tab w:val="center" w:pos="4535"/><w:tab w:val="right" w:pos="9070"/></w:tabs>',
  },
  {
    id: 'FootnoteText',
    name: 'footnote text',
    paragraph: '<w:spacing w:after="0"/>',
    run: '<w:sz w:val="20"/>',
  },
];

export function writeStyles(language: string): string {
  const rules = styles.map(
    ({ id, name, paragraph = '', run = '' }) =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:qFormat/><w:pPr>${paragraph}</w:pPr><w:rPr>${run}</w:rPr></w:style>`,
  );
  return `${xmlHead}<w:styles ${namespaces}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Cambria" w:hAnsi="Cambria" w:cs="Times New Roman" w:eastAsia="MS Mincho"/><w:sz w:val="22"/><w:lang w:val="${escapeXml(language)}"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="264" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>${rules.join('')}<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style></w:styles>`;
}

const formats: Record<Counting['format'], string> = {
  decimal: 'decimal',
  'lower-letter': 'lowerLetter',
  'upper-letter': 'upperLetter',
  'lower-roman': 'lowerRoman',
  'upper-roman': 'upperRoman',
};

/** The numbering of one list in Word; one per list, so that each starts at its first number. */
export interface Numbering {
  /** null for bullets. */
  counting: Counting | null;
  depth: number;
}

export function writeNumbering(numberings: readonly Numbering[]): string {
  const abstracts = numberings.map(({ counting, depth }, index) => {
    const left = 425 * (depth + 1);
    const text = counting ? `${counting.before}%1${counting.after}` : ['•', '–', '∗', '·'][depth % 4]!;
    const format = counting ? formats[counting.format] : 'bullet';
    return `<w:abstractNum w:abstractNumId="${index}"><w:multiLevelType w:val="singleLevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${escapeXml(text)}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${left}" w:hanging="425"/></w:pPr></w:lvl></w:abstractNum>`;
  });
  const nums = numberings.map(
    (_, index) => `<w:num w:numId="${index + 1}"><w:abstractNumId w:val="${index}"/></w:num>`,
  );
  return `${xmlHead}<w:numbering ${namespaces}>${abstracts.join('')}${nums.join('')}</w:numbering>`;
}

export function writeFootnotes(notes: readonly string[]): string {
  const separators = `<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>`;
  const entries = notes.map(
    (note, index) =>
      `<w:footnote w:id="${index + 1}"><w:p><w:pPr><w:pStyle w:val="FootnoteText"/></w:pPr><w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r>${note}</w:p></w:footnote>`,
  );
  return `${xmlHead}<w:footnotes ${namespaces}>${separators}${entries.join('')}</w:footnotes>`;
}
