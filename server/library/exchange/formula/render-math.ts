/** A formula's LaTeX to a MathML tree, by KaTeX, tidied for readers other than KaTeX's own style sheet. */
import katex from 'katex';
import 'katex/contrib/mhchem';
import type { Label } from '../reader/tree.ts';
import { toMathAlphabet } from './math-alphabet.ts';
import { type MathNode, parseMath, textOf } from './math-node.ts';
import { prepareFormula } from './prepare-formula.ts';

/** No formula of a person is longer; a hostile one is shown as its source. */
const maxLength = 20_000;

/** null when the formula has what no renderer here knows: writers then show its LaTeX. */
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

/** A base that takes no room: KaTeX sets indices of chemical formulas on one. */
const isPhantomBase = (node: MathNode | string | undefined): boolean =>
  isElement(node, 'mpadded') && node.attributes.width === '0px' && isElement(node.children[0], 'mphantom');

function tidyChildren(children: readonly (MathNode | string)[]): (MathNode | string)[] {
  const out: (MathNode | string)[] = [];
  for (const child of children) {
    if (typeof child === 'string') {
      out.push(child);
      continue;
    }
    const node = tidy(child);
    const previous = out.at(-1);
    // an index belongs to what stands before it
    const isIndex = /^m(sub|sup|subsup)$/.test(node.name) && isPhantomBase(node.children[0]);
    if (isIndex && typeof previous === 'object' && previous.name !== 'mo') {
      out[out.length - 1] = { ...node, children: [previous, ...node.children.slice(1)] };
    } else if (isIndex) out.push({ ...node, children: [emptyRow(), ...node.children.slice(1)] });
    else if (node.name === 'mpadded' && node.attributes.height === '0px' && node.children.length === 1)
      out.push(node.children[0]!);
    else out.push(node);
  }
  return out;
}

const emptyRow = (): MathNode => ({ name: 'mrow', attributes: {}, children: [] });

function tidy(node: MathNode): MathNode {
  if (isPhantomBase(node)) return node;
  const { mathvariant, ...attributes } = node.attributes;
  const children = tidyChildren(node.children);
  if (node.name === 'mtd') {
    delete attributes.class;
    return { name: 'mtd', attributes, children };
  }
  if (/^(mi|mn|mo|mtext)$/.test(node.name) && mathvariant) {
    // MathML Core knows no alphabet but `normal`: the others are characters of their own
    if (mathvariant === 'normal')
      return { name: node.name, attributes: { ...attributes, mathvariant }, children };
    const text = toMathAlphabet(textOf(node), mathvariant);
    return { name: node.name, attributes, children: [text] };
  }
  // KaTeX's glue columns exist for its own style sheet
  if (node.name === 'mtr') {
    const cells = children.filter((cell) => !(isElement(cell, 'mtd') && isGlue(node, cell)));
    return { name: 'mtr', attributes, children: cells };
  }
  return { name: node.name, attributes, children };
}

function isGlue(row: MathNode, cell: MathNode): boolean {
  return (
    cell.children.length === 0 &&
    row.children.some(
      (one) => isElement(one, 'mtd') && /mtr-glue|mml-eqn-num/.test(one.attributes.class ?? ''),
    )
  );
}
