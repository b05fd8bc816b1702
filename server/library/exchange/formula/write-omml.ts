/** Writes a MathML tree as an Office equation (OMML, ECMA-376 part 1, section 22.1). */
import { escapeXml, type MathNode, textOf } from './math-node.ts';

type Child = MathNode | string;

const bigOperators = /^[∑∏∐∫∬∭∮∯∰⋂⋃⋀⋁⨀⨁⨂⨄⨆]$/u;
/** Where the operand of a large operator ends. */
const endsOperand = /^[=<>≤≥≠≈≡∼≃≅⟹⟸⟺⇒⇔→←↦∈∉⊂⊆⊃+−,;:]$/u;

/** A run's property in Word: marked as with a text marker. */
export const wordHighlight = '<w:highlight w:val="yellow"/>';

/** One `m:oMath` element; `isMarked` highlights all of it. */
export function writeOmml(math: MathNode, isMarked = false): string {
  return `<m:oMath>${writeRow(isMarked ? math.children.map(highlight) : math.children)}</m:oMath>`;
}

function flatten(children: readonly Child[]): MathNode[] {
  return children.flatMap((child): MathNode[] => {
    if (typeof child === 'string') return child.trim() === '' ? [] : [text(child)];
    if (isHighlighted(child)) return flatten(child.children.map(highlight));
    const isPlainRow = child.name === 'mrow' && !isFenced(child);
    return isPlainRow || /^(mstyle|semantics|mpadded|math)$/.test(child.name)
      ? flatten(child.children)
      : [child];
  });
}

const isHighlighted = (node: MathNode) => node.name === 'mstyle' && 'mathbackground' in node.attributes;

/** Word has no background for parts of an equation, only for its runs. */
function highlight(child: Child): Child {
  if (typeof child === 'string') return child;
  const attributes = { ...child.attributes, mathbackground: 'yes' };
  return { ...child, attributes, children: child.children.map(highlight) };
}

const text = (value: string): MathNode => ({ name: 'mtext', attributes: {}, children: [value] });
const isFence = (node: Child | undefined): node is MathNode =>
  typeof node === 'object' &&
  node.name === 'mo' &&
  node.attributes.fence === 'true' &&
  !node.attributes.minsize;

/** KaTeX writes `\left…\right` as a row between fences; a delimiter `.` is left out. */
function isFenced(node: MathNode): boolean {
  return (
    node.name === 'mrow' &&
    node.children.length > 1 &&
    (isFence(node.children[0]) || isFence(node.children.at(-1)))
  );
}

function writeRow(children: readonly Child[]): string {
  const nodes = flatten(children);
  let out = '';
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index]!;
    const operator = bigOperatorOf(node);
    if (!operator) {
      out += writeNode(node);
      continue;
    }
    let end = index + 1;
    while (end < nodes.length && !(nodes[end]!.name === 'mo' && endsOperand.test(textOf(nodes[end]!)))) end++;
    out += writeBigOperator(node, operator, writeRow(nodes.slice(index + 1, end)));
    index = end - 1;
  }
  return out;
}

function bigOperatorOf(node: MathNode): string | null {
  const base = node.name === 'mo' ? node : node.children[0];
  if (node.name !== 'mo' && !/^m(sub|sup|subsup|under|over|underover)$/.test(node.name)) return null;
  const sign = base === undefined ? '' : textOf(base);
  return bigOperators.test(sign) ? sign : null;
}

function writeBigOperator(node: MathNode, sign: string, operand: string): string {
  const [, first, second] = node.children;
  const isOver = node.name === 'msup' || node.name === 'mover';
  const below = isOver ? undefined : first;
  const above = isOver ? first : second;
  const place = /under|over/.test(node.name) ? 'undOvr' : 'subSup';
  const hidden = `${below ? '' : '<m:subHide m:val="1"/>'}${above ? '' : '<m:supHide m:val="1"/>'}`;
  return (
    `<m:nary><m:naryPr><m:chr m:val="${sign}"/><m:limLoc m:val="${place}"/>${hidden}</m:naryPr>` +
    `${part('sub', below)}${part('sup', above)}<m:e>${operand}</m:e></m:nary>`
  );
}

const part = (name: string, node: Child | undefined): string =>
  `<m:${name}>${node === undefined ? '' : writeRow([node])}</m:${name}>`;

function run(value: string, properties: string, node?: MathNode): string {
  if (value === '') return '';
  const marked = node && 'mathbackground' in node.attributes ? wordHighlight : '';
  const font = `<w:rPr><w:rFonts w:ascii="Cambria Math" w:hAnsi="Cambria Math"/>${marked}</w:rPr>`;
  return `<m:r>${properties}${font}<m:t xml:space="preserve">${escapeXml(value)}</m:t></m:r>`;
}

const upright = '<m:rPr><m:sty m:val="p"/></m:rPr>';

function writeNode(node: MathNode): string {
  const [base, first, second] = node.children;
  switch (node.name) {
    case 'mi': {
      const name = textOf(node);
      const isUpright = node.attributes.mathvariant === 'normal' || [...name].length > 1;
      return run(name.replace(/\u2061/g, ''), isUpright ? upright : '', node);
    }
    case 'mn':
      return run(textOf(node), upright, node);
    case 'mo':
      return run(textOf(node).replace(/[\u2061-\u2064]/g, ''), upright, node);
    case 'mtext':
    case 'ms':
      return run(textOf(node), '<m:rPr><m:nor/></m:rPr>', node);
    case 'mspace':
      return /^-/.test(node.attributes.width ?? '') ? '' : run('\u2009', '');
    case 'mfrac': {
      const bar = /^0/.test(node.attributes.linethickness ?? '')
        ? '<m:fPr><m:type m:val="noBar"/></m:fPr>'
        : '';
      return `<m:f>${bar}${part('num', base)}${part('den', first)}</m:f>`;
    }
    case 'msqrt':
      return `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${writeRow(node.children)}</m:e></m:rad>`;
    case 'mroot':
      return `<m:rad>${part('deg', first)}${part('e', base)}</m:rad>`;
    case 'msub':
      return `<m:sSub>${part('e', base)}${part('sub', first)}</m:sSub>`;
    case 'msup':
      return `<m:sSup>${part('e', base)}${part('sup', first)}</m:sSup>`;
    case 'msubsup':
      return `<m:sSubSup>${part('e', base)}${part('sub', first)}${part('sup', second)}</m:sSubSup>`;
    case 'munder':
      return writeUnder(base, first);
    case 'mover':
      return writeOver(node, base, first);
    case 'munderover':
      return `<m:limUpp><m:e>${writeUnder(base, first)}</m:e>${part('lim', second)}</m:limUpp>`;
    case 'mrow':
      return writeFenced(node);
    case 'mtable':
      return writeTable(node);
    case 'menclose':
      return writeEnclosed(node);
    case 'mphantom':
      return `<m:phant><m:phantPr><m:show m:val="0"/></m:phantPr><m:e>${writeRow(node.children)}</m:e></m:phant>`;
    default:
      return writeRow(node.children);
  }
}

function writeUnder(base: Child | undefined, below: Child | undefined): string {
  const sign = below === undefined ? '' : textOf(below);
  if (sign === '⏟' || sign === '⎵')
    return `<m:groupChr><m:groupChrPr><m:chr m:val="${sign}"/><m:pos m:val="bot"/></m:groupChrPr>${part('e', base)}</m:groupChr>`;
  if (/^[_‾¯]$/.test(sign)) return `<m:bar><m:barPr><m:pos m:val="bot"/></m:barPr>${part('e', base)}</m:bar>`;
  return `<m:limLow>${part('e', base)}${part('lim', below)}</m:limLow>`;
}

/** Accents of OMML are combining characters. */
const accents = new Map<string, string>([
  ['^', '\u0302'],
  ['~', '\u0303'],
  ['\u02dc', '\u0303'],
  ['.', '\u0307'],
  ['\u02d9', '\u0307'],
  ['\u00a8', '\u0308'],
  ['\u20db', '\u20db'],
  ['\u02c7', '\u030c'],
  ['\u02d8', '\u0306'],
  ['\u00b4', '\u0301'],
  ['\u02ca', '\u0301'],
  ['`', '\u0300'],
  ['\u02cb', '\u0300'],
  ['\u02da', '\u030a'],
  ['\u2192', '\u20d7'],
  ['\u20d7', '\u20d7'],
  ['\u2190', '\u20d6'],
]);

function writeOver(node: MathNode, base: Child | undefined, above: Child | undefined): string {
  const sign = above === undefined ? '' : textOf(above);
  if (sign === '⏞' || sign === '⎴')
    return `<m:groupChr><m:groupChrPr><m:chr m:val="${sign}"/><m:pos m:val="top"/><m:vertJc m:val="bot"/></m:groupChrPr>${part('e', base)}</m:groupChr>`;
  if (/^[‾¯ˉ]$/.test(sign)) return `<m:bar><m:barPr><m:pos m:val="top"/></m:barPr>${part('e', base)}</m:bar>`;
  const accent = accents.get(sign);
  if (node.attributes.accent === 'true' && accent)
    return `<m:acc><m:accPr><m:chr m:val="${accent}"/></m:accPr>${part('e', base)}</m:acc>`;
  return `<m:limUpp>${part('e', base)}${part('lim', above)}</m:limUpp>`;
}

function writeFenced(node: MathNode): string {
  if (!isFenced(node)) return writeRow(node.children);
  const begin = isFence(node.children[0]) ? textOf(node.children[0]) : '';
  const last = node.children.at(-1);
  const end = isFence(last) ? textOf(last) : '';
  const inner = node.children.slice(isFence(node.children[0]) ? 1 : 0, isFence(last) ? -1 : undefined);
  const chr = (name: string, sign: string) => `<m:${name} m:val="${escapeXml(sign)}"/>`;
  return `<m:d><m:dPr>${chr('begChr', begin)}${chr('endChr', end)}</m:dPr><m:e>${writeRow(inner)}</m:e></m:d>`;
}

function writeTable(node: MathNode): string {
  const rows = node.children.filter((row): row is MathNode => typeof row === 'object');
  const cells = rows.map((row) => row.children.filter((cell): cell is MathNode => typeof cell === 'object'));
  const count = Math.max(1, ...cells.map((row) => row.length));
  const given = (node.attributes.columnalign ?? '').split(/\s+/).filter(Boolean);
  const columns = Array.from({ length: count }, (_, index) => {
    const align = given[Math.min(index, given.length - 1)] ?? 'center';
    return `<m:mc><m:mcPr><m:count m:val="1"/><m:mcJc m:val="${align}"/></m:mcPr></m:mc>`;
  });
  const body = cells.map((row) => {
    const filled = Array.from(
      { length: count },
      (_, index) => `<m:e>${writeRow(row[index]?.children ?? [])}</m:e>`,
    );
    return `<m:mr>${filled.join('')}</m:mr>`;
  });
  return `<m:m><m:mPr><m:mcs>${columns.join('')}</m:mcs></m:mPr>${body.join('')}</m:m>`;
}

function writeEnclosed(node: MathNode): string {
  const notation = node.attributes.notation ?? '';
  const isBox = /box|roundedbox/.test(notation);
  const hide = ['Top', 'Bot', 'Left', 'Right'].map((side) => `<m:hide${side} m:val="1"/>`).join('');
  const strike =
    (/updiagonalstrike/.test(notation) ? '<m:strikeBLTR m:val="1"/>' : '') +
    (/downdiagonalstrike/.test(notation) ? '<m:strikeTLBR m:val="1"/>' : '') +
    (/horizontalstrike/.test(notation) ? '<m:strikeH m:val="1"/>' : '');
  const properties = isBox ? '' : `<m:borderBoxPr>${hide}${strike}</m:borderBoxPr>`;
  return `<m:borderBox>${properties}<m:e>${writeRow(node.children)}</m:e></m:borderBox>`;
}
