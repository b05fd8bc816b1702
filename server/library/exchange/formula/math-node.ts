/** MathML as a tree, parsed from and written as well-formed XML. */

export interface MathNode {
  name: string;
  attributes: Record<string, string>;
  children: (MathNode | string)[];
}

const tag = /<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+\s*=\s*"[^"]*")*)\s*(\/?)>|([^<]+)/g;

/** @throws Error if the text is not well-formed; it comes from our own renderer */
export function parseMath(xml: string): MathNode {
  const root: MathNode = { name: '', attributes: {}, children: [] };
  const open = [root];
  let end = 0;
  for (const match of xml.matchAll(tag)) {
    if (match.index !== end) throw new Error('markup that is not well-formed');
    end = match.index + match[0].length;
    const [, isEnd, name, attributes, isEmpty, text] = match;
    const top = open.at(-1)!;
    if (text !== undefined) top.children.push(decode(text));
    else if (isEnd) {
      if (open.pop()?.name !== name || open.length === 0) throw new Error('elements that are not nested');
    } else {
      const node: MathNode = { name: name!, attributes: readAttributes(attributes!), children: [] };
      top.children.push(node);
      if (!isEmpty) open.push(node);
    }
  }
  const [only] = root.children;
  if (end !== xml.length || open.length !== 1 || typeof only !== 'object')
    throw new Error('no single element');
  return only;
}

function readAttributes(source: string): Record<string, string> {
  return Object.fromEntries(
    [...source.matchAll(/([\w:-]+)\s*=\s*"([^"]*)"/g)].map(([, name, value]) => [name!, decode(value!)]),
  );
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&(#x[0-9a-f]+|#\d+|[a-z]+);/gi, (whole, name: string) => {
    if (name[0] !== '#') return entities[name] ?? whole;
    return String.fromCodePoint(name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
  });
}

/** Escapes text and attributes for XML and HTML; removes characters that XML does not allow. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(notXml, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: leaving them out is its purpose
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export function writeMath(node: MathNode): string {
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
  const inner = node.children.map((child) =>
    typeof child === 'string' ? escapeXml(child) : writeMath(child),
  );
  return `<${node.name}${attributes.join('')}>${inner.join('')}</${node.name}>`;
}

export function textOf(node: MathNode | string): string {
  return typeof node === 'string' ? node : node.children.map(textOf).join('');
}
