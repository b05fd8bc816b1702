/** Renders a formula's LaTeX as a MathML tree with KaTeX, adapted to readers without KaTeX's style sheet. */
import katex from 'katex';
import 'katex/contrib/mhchem';
import type { Label } from '#latex/reader/tree.ts';
import { toMathAlphabet } from './math-alphabet.ts';
import { type MathNode, parseMath, textOf } from './math-node.ts';
import { prepareFormula } from './prepare-formula.ts';

/** Longer than any real formula; a longer one is shown as its source. */
const maxLength = 20_000;
/** The colour of `\hl` in a formula: KaTeX has coloured signs where `soul` has a background. */
const marker = '#ffe45c';

/** null if the formula cannot be rendered: writers then show its LaTeX. */
export function renderMath(
  tex: string,
  isDisplay: boolean,
  labels: ReadonlyMap<string, Label>,
): MathNode | null {
  if (tex.length > maxLength) return null;
  try {
    const html = katex.renderToString(prepareFormula(tex, labels), {
      output: 'mathml',
      displayMode: isDisplay,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: 1000,
      maxSize: 50,
      macros: { '\\hl': `\\textcolor{${marker.slice(1)}}{#1}` },
    });
    const start = html.indexOf('<math');
    const math = parseMath(
      html.slice(start, html.lastIndexOf('</math>') + 7).replace(/ class ="/g, ' class="'),
    );
    const [semantics] = math.children as MathNode[];
    return { ...math, children: tidyChildren(semantics!.children.slice(0, 1)) };
  } catch {
    return null;
  }
}

const isElement = (node: MathNode | string | undefined, name: string): node is MathNode =>
  typeof node === 'object' && node.name === name;

/** A base without width: KaTeX sets indices of chemical formulas on one. */
const isPhantomBase = (node: MathNode | string | undefined): boolean =>
  isElement(node, 'mpadded') && node.attributes.width === '0px' && isElement(node.children[0], 'mphantom');

function tidyChildren(children: readonly (MathNode | string)[]): (MathNode | string)[] {
  const out: (MathNode | string)[] = [];
  for (const [index, child] of children.entries()) {
    if (typeof child === 'string') {
      out.push(child);
      continue;
    }
    const node = tidy(child);
    const previous = out.at(-1);
    if (isName(child, children[index + 1]) && isOrdinary(previous)) out.push(thinSpace());
    // an index belongs to what precedes it
    const isIndex = /^m(sub|sup|subsup)$/.test(node.name) && isPhantomBase(node.children[0]);
    if (isIndex && typeof previous === 'object' && previous.name !== 'mo') {
      out[out.length - 1] = { ...node, children: [previous, ...node.children.slice(1)] };
    } else if (isIndex) out.push({ ...node, children: [emptyRow(), ...node.children.slice(1)] });
    else if (node.name === 'mpadded' && node.attributes.height === '0px' && node.children.length === 1)
      out.push(node.children[0]!);
    else out.push(node);
    // `log n`, `lim f`: TeX sets a thin space there, MathML readers do not
    const next = children[index + 1];
    const isApplied = (node.name === 'mo' && textOf(node) === '\u2061') || isNameWithScripts(node);
    if (isApplied && next !== undefined && !/^[([{|‖⌊⌈]/.test(textOf(next).trim())) out.push(thinSpace());
  }
  return out;
}

/** `lim` with its limit: KaTeX marks names by an invisible function application. */
const isNameWithScripts = (node: MathNode): boolean =>
  /^m(sub|sup|subsup|under|over|underover)$/.test(node.name) &&
  node.children[0] !== undefined &&
  textOf(node.children[0]).endsWith('\u2061');

const isName = (node: MathNode, next: MathNode | string | undefined): boolean =>
  isNameWithScripts(node) || (isElement(next, 'mo') && textOf(next) === '\u2061');

/** What TeX separates from a following name: letters, numbers, fractions, closing brackets; not other operators. */
const isOrdinary = (node: MathNode | string | undefined): boolean =>
  typeof node === 'object' &&
  node.name !== 'mspace' &&
  (node.name !== 'mo' || /^[)\]}⟩⌋⌉!]$/.test(textOf(node).trim()));

const thinSpace = (): MathNode => ({ name: 'mspace', attributes: { width: '0.1667em' }, children: [] });
const emptyRow = (): MathNode => ({ name: 'mrow', attributes: {}, children: [] });

function tidy(node: MathNode): MathNode {
  if (isPhantomBase(node)) return node;
  const { mathvariant, ...attributes } = node.attributes;
  const children = tidyChildren(node.children);
  if (node.name === 'mstyle' && attributes.mathcolor === marker)
    return { name: 'mstyle', attributes: { mathbackground: marker }, children };
  if (node.name === 'mtd') {
    delete attributes.class;
    return { name: 'mtd', attributes, children };
  }
  if (/^(mi|mn|mo|mtext)$/.test(node.name) && mathvariant) {
    // MathML Core has no alphabet but `normal`: others are separate characters
    if (mathvariant === 'normal')
      return { name: node.name, attributes: { ...attributes, mathvariant }, children };
    const text = toMathAlphabet(textOf(node), mathvariant);
    return { name: node.name, attributes, children: [text] };
  }
  // MathML Core reads a width that is added as the whole width: labels of arrows would run into their neighbours
  if (node.name === 'mpadded' && attributes.width?.startsWith('+'))
    return { name: 'mrow', attributes: {}, children: [thinSpace(), ...children, thinSpace()] };
  // a fence that the operator dictionary does not stretch
  if (node.name === 'mo' && attributes.fence === 'true' && /^[∣∥]$/.test(textOf(node)))
    return {
      name: 'mo',
      attributes: { ...attributes, stretchy: 'true', symmetric: 'true' },
      children: [textOf(node) === '∣' ? '|' : '‖'],
    };
  // KaTeX's glue columns exist for its own style sheet
  if (node.name === 'mtr') {
    const cells = children.filter((cell) => !(isElement(cell, 'mtd') && isGlue(node, cell)));
    return { name: 'mtr', attributes, children: cells };
  }
  if (node.name === 'mtable')
    return { name: 'mtable', attributes, children: children.map(alignCells(attributes)) };
  return { name: node.name, attributes, children };
}

/** Columns' alignment and lines as styles of each cell: MathML Core has dropped the attributes of MathML 3. */
function alignCells(table: Record<string, string>) {
  const words = (name: string) => (table[name] ?? '').split(/\s+/).filter(Boolean);
  const [aligns, lines] = [words('columnalign'), words('columnlines')];
  const isTight = /^0em/.test(table.columnspacing ?? '');
  return (row: MathNode | string): MathNode | string => {
    if (!isElement(row, 'mtr')) return row;
    const cells = row.children.map((cell, column) => {
      if (!isElement(cell, 'mtd')) return cell;
      const align = aligns[Math.min(column, aligns.length - 1)] ?? 'center';
      const line = column > 0 ? lines[Math.min(column - 1, lines.length - 1)] : undefined;
      const style = [
        // as browsers implement it: cells contain blocks
        `text-align: ${align}; text-align: -moz-${align}; text-align: -webkit-${align}`,
        // pairs of `align` touch; the next pair is set apart
        ...(isTight
          ? [`padding-left: ${column > 0 && column % 2 === 0 ? '2em' : '0'}; padding-right: 0`]
          : []),
        ...(line === 'solid' || line === 'dashed' ? [`border-left: 1px ${line}`] : []),
      ].join('; ');
      return { ...cell, attributes: { ...cell.attributes, style } };
    });
    return { ...row, children: cells };
  };
}

function isGlue(row: MathNode, cell: MathNode): boolean {
  return (
    cell.children.length === 0 &&
    row.children.some(
      (one) => isElement(one, 'mtd') && /mtr-glue|mml-eqn-num/.test(one.attributes.class ?? ''),
    )
  );
}
