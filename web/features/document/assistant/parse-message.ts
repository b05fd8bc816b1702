/**
 * Parses the markup of answers: paragraphs, lists, **bold**, `code`, fences, and formulas between $ signs or in \( \)
 * and \[ \]. Everything else is plain text: no links, no images, no HTML, whatever the model writes.
 */

export type Inline =
  | { kind: 'text' | 'bold' | 'code'; text: string }
  | { kind: 'maths'; tex: string; isDisplay: boolean };

export type Block =
  | { kind: 'paragraph'; inlines: Inline[] }
  | { kind: 'list'; isOrdered: boolean; items: Inline[][] }
  | { kind: 'code'; text: string };

const bullet = /^\s*(?:[-*•]|(\d+)[.)])\s+(.*)$/;

/** Also parses an unfinished answer: unclosed markup is shown as far as it goes. */
export function parseMessage(text: string): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.some((line) => line.trim() !== ''))
      blocks.push({ kind: 'paragraph', inlines: parseInlines(paragraph.join('\n').trim()) });
    paragraph = [];
  };
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    if (/^\s*```/.test(line)) {
      flush();
      const code: string[] = [];
      while (++index < lines.length && !/^\s*```\s*$/.test(lines[index]!)) code.push(lines[index]!);
      blocks.push({ kind: 'code', text: code.join('\n') });
      continue;
    }
    if (/^\s*(?:\\\[|\$\$)/.test(line)) {
      // a display formula may contain blank lines and list markers
      const end = /^\s*\\\[/.test(line) ? '\\]' : '$$';
      const rest = line.trim().slice(2);
      if (!rest.includes(end)) {
        flush();
        const formula = [rest];
        let last = '';
        while (++index < lines.length) {
          const at = lines[index]!.indexOf(end);
          if (at >= 0) {
            formula.push(lines[index]!.slice(0, at));
            last = lines[index]!.slice(at + 2);
            break;
          }
          formula.push(lines[index]!);
        }
        const tex = formula.join('\n').trim();
        if (tex !== '')
          blocks.push({ kind: 'paragraph', inlines: [{ kind: 'maths', tex, isDisplay: true }] });
        if (last.trim() !== '') paragraph.push(last);
        continue;
      }
    }
    const item = bullet.exec(line);
    if (item) {
      flush();
      const isOrdered = item[1] !== undefined;
      const previous = blocks.at(-1);
      const inlines = parseInlines(item[2]!);
      if (previous?.kind === 'list' && previous.isOrdered === isOrdered) previous.items.push(inlines);
      else blocks.push({ kind: 'list', isOrdered, items: [inlines] });
      continue;
    }
    if (line.trim() === '') flush();
    else paragraph.push(line.replace(/^#{1,6}\s+/, ''));
  }
  flush();
  return blocks;
}

const inline =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)|(?<!\\)\$(?!\s)((?:\\.|[^$\\\n])+?)(?<!\s)\$(?!\d)/g;

function parseInlines(text: string): Inline[] {
  const found: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(inline)) {
    if (match.index > at) found.push({ kind: 'text', text: text.slice(at, match.index) });
    at = match.index + match[0].length;
    const [, code, bold, dollars, brackets, parentheses, dollar] = match;
    const display = dollars ?? brackets;
    const tex = display ?? parentheses ?? dollar;
    if (code !== undefined) found.push({ kind: 'code', text: code });
    else if (bold !== undefined) found.push({ kind: 'bold', text: bold });
    else if (tex !== undefined)
      found.push({ kind: 'maths', tex: tex.trim(), isDisplay: display !== undefined });
  }
  if (at < text.length) found.push({ kind: 'text', text: text.slice(at) });
  return found;
}
