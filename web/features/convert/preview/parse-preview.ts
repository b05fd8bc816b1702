/**
 * Parses a page's LaTeX as far as a preview needs: headings, paragraphs, lists, plain tables, formulas. Anything
 * unknown is kept as source, never dropped: the preview may be plain, but must not mislead.
 */
import { floatEnvironments, headingLevels } from '#latex/source/commands.ts';
import { printLigatures } from '#latex/source/print-ligatures.ts';
import { parseTable } from './parse-table.ts';

export type PreviewInline =
  | { kind: 'text'; text: string }
  | { kind: 'math'; tex: string }
  | { kind: 'strong' | 'emphasis'; children: PreviewInline[] }
  | { kind: 'source'; text: string };

export type PreviewBlock =
  | { kind: 'heading'; level: 1 | 2 | 3; children: PreviewInline[] }
  | { kind: 'paragraph'; children: PreviewInline[] }
  | { kind: 'display'; tex: string }
  /** `hasLabels`: the items have their own labels. */
  | { kind: 'list'; isOrdered: boolean; hasLabels: boolean; items: PreviewBlock[][] }
  | { kind: 'figure'; name: string }
  | { kind: 'table'; rows: PreviewInline[][][] }
  | { kind: 'source'; text: string };

/** Displays that KaTeX accepts as they are, and those of which it gets the body. */
const displayEnvironments = new Set([
  'equation',
  'equation*',
  'align',
  'align*',
  'gather',
  'gather*',
  'multline',
  'multline*',
  'displaymath',
  'math',
  'alignat',
  'alignat*',
]);
/** Environments that only position their content. */
const plainEnvironments = new Set(['center', 'flushleft', 'flushright', 'quote', 'quotation', 'abstract']);

/** Commands that only position or space. */
const placing =
  /\\(?:noindent|par|centering|maketitle|clearpage|newpage|smallskip|medskip|bigskip|vfill|hfill)\b|\\[vh]space\*?\{[^}]*\}|\\rule(?:\[[^\]]*\])?\{[^}]*\}\{[^}]*\}/g;

export function parsePreview(latex: string): PreviewBlock[] {
  return parseBlocks(stripComments(latex));
}

function stripComments(latex: string): string {
  return latex.replace(/(^|[^\\])((?:\\\\)*)%.*(\n[ \t]*)?/g, '$1$2');
}

function parseBlocks(latex: string): PreviewBlock[] {
  const blocks: PreviewBlock[] = [];
  let paragraph = '';
  const flush = () => {
    for (const text of paragraph.split(/\n[ \t]*\n/)) {
      const trimmed = text.replace(placing, ' ').trim();
      if (trimmed) blocks.push({ kind: 'paragraph', children: parseInline(trimmed) });
    }
    paragraph = '';
  };

  let at = 0;
  while (at < latex.length) {
    const rest = latex.slice(at);
    const command = /^\\([A-Za-z]+)\*?\s*(?=\{)/.exec(rest);
    const level = headingLevels.get(command?.[1] ?? '');
    const environment = /^\\begin\{([A-Za-z]+\*?)\}/.exec(rest);
    const figure = /^\\includegraphics(?:\[[^\]]*\])?\{([^}]*)\}/.exec(rest);
    if (command && level !== undefined) {
      const group = readGroup(latex, at + command[0].length);
      if (group) {
        flush();
        blocks.push({
          kind: 'heading',
          level: Math.min(3, Math.max(1, level)) as 1 | 2 | 3,
          children: parseInline(group.text),
        });
        at = group.end;
        continue;
      }
    }
    if (rest.startsWith('\\[') || rest.startsWith('$$')) {
      const closing = rest.startsWith('\\[') ? '\\]' : '$$';
      const end = latex.indexOf(closing, at + 2);
      if (end > 0) {
        flush();
        blocks.push({ kind: 'display', tex: latex.slice(at + 2, end).trim() });
        at = end + 2;
        continue;
      }
    }
    if (environment) {
      const name = environment[1] ?? '';
      const end = findEnd(latex, name, at + environment[0].length);
      if (end >= 0) {
        flush();
        const body = latex.slice(at + environment[0].length, end);
        at = end + `\\end{${name}}`.length;
        blocks.push(...parseEnvironment(name, body));
        continue;
      }
    }
    if (figure) {
      flush();
      blocks.push({ kind: 'figure', name: figure[1] ?? '' });
      at += figure[0].length;
      continue;
    }
    // inline formulas are taken whole, so that nothing inside one is taken for a block
    const inline = /^(?:\$(?:[^$\\]|\\[\s\S])*\$|\\\((?:[^\\]|\\[^)])*\\\)|\\[\s\S])/.exec(rest);
    const step = inline ? inline[0].length : 1;
    paragraph += latex.slice(at, at + step);
    at += step;
  }
  flush();
  return blocks;
}

function parseEnvironment(name: string, body: string): PreviewBlock[] {
  if (displayEnvironments.has(name)) {
    const tex = body.replace(/\\label\{[^}]*\}/g, '').trim();
    const isPlain = /^(equation\*?|displaymath|math)$/.test(name);
    return [{ kind: 'display', tex: isPlain ? tex : `\\begin{${name}}${tex}\\end{${name}}` }];
  }
  if (name === 'itemize' || name === 'enumerate' || name === 'description') {
    const items = splitItems(body.replace(/^\s*\[[^\]]*\]/, ''));
    return [
      {
        kind: 'list',
        isOrdered: name === 'enumerate',
        hasLabels: items.length > 0 && items.every((item) => /^\s*\[/.test(item)),
        items: items.map((item) => {
          const label = /^\s*\[([^\]]*)\]/.exec(item);
          const text = label ? `\\textbf{${label[1]}} ${item.slice(label[0].length)}` : item;
          return parseBlocks(text);
        }),
      },
    ];
  }
  if (plainEnvironments.has(name)) return parseBlocks(body);
  if (floatEnvironments.has(name)) return parseBlocks(body.replace(/^\s*\[[^\]]*\]/, ''));
  const table = name === 'tabular' ? parseTable(body) : null;
  if (table) return [{ kind: 'table', rows: table.map((row) => row.map(parseInline)) }];
  return [{ kind: 'source', text: `\\begin{${name}}${body}\\end{${name}}`.trim() }];
}

/** The items of a list's body; nested lists stay in their item. */
function splitItems(body: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let start = -1;
  for (const match of body.matchAll(/\\(begin|end)\{[A-Za-z]+\*?\}|\\item\b/g)) {
    if (match[1] === 'begin') depth++;
    else if (match[1] === 'end') depth--;
    else if (depth === 0) {
      if (start >= 0) items.push(body.slice(start, match.index));
      start = match.index + match[0].length;
    }
  }
  if (start >= 0) items.push(body.slice(start));
  return items;
}

/** Start of the `\end` of the environment opened just before `from`; -1 if it is missing. */
function findEnd(latex: string, name: string, from: number): number {
  const escaped = name.replace('*', '\\*');
  let depth = 1;
  for (const match of latex.slice(from).matchAll(new RegExp(`\\\\(begin|end)\\{${escaped}\\}`, 'g'))) {
    depth += match[1] === 'begin' ? 1 : -1;
    if (depth === 0) return from + match.index;
  }
  return -1;
}

/** The content of the braces that open at `from`; null if they do not close. */
function readGroup(latex: string, from: number): { text: string; end: number } | null {
  if (latex[from] !== '{') return null;
  let depth = 0;
  for (let at = from; at < latex.length; at++) {
    if (latex[at] === '\\') at++;
    else if (latex[at] === '{') depth++;
    else if (latex[at] === '}' && --depth === 0) return { text: latex.slice(from + 1, at), end: at + 1 };
  }
  return null;
}

const symbols: Record<string, string> = {
  '\\%': '%',
  '\\&': '&',
  '\\_': '_',
  '\\#': '#',
  '\\$': '$',
  '\\{': '{',
  '\\}': '}',
  '\\\\': '\n',
  '\\,': '\u2009',
  '\\ ': ' ',
  '~': '\u00a0',
};
const words: Record<string, string> = {
  ldots: '…',
  dots: '…',
  textbackslash: '\\',
  textasciitilde: '~',
  textasciicircum: '^',
  quad: '\u2003',
  qquad: '\u2003\u2003',
  LaTeX: 'LaTeX',
  TeX: 'TeX',
  ss: 'ß',
  og: '«\u202f',
  fg: '\u202f»',
};

export function parseInline(latex: string): PreviewInline[] {
  const result: PreviewInline[] = [];
  let text = '';
  const flush = () => {
    const typed = printLigatures(text);
    if (typed) result.push({ kind: 'text', text: typed });
    text = '';
  };
  let at = 0;
  while (at < latex.length) {
    const rest = latex.slice(at);
    const math = /^\$((?:[^$\\]|\\[\s\S])*)\$|^\\\(((?:[^\\]|\\[^)])*)\\\)/.exec(rest);
    const symbol = symbols[rest.slice(0, 2)] ?? (rest[0] === '~' ? symbols['~'] : undefined);
    const command = /^\\([A-Za-z]+)\*?[ \t]*/.exec(rest);
    if (math) {
      flush();
      result.push({ kind: 'math', tex: math[1] ?? math[2] ?? '' });
      at += math[0].length;
    } else if (symbol !== undefined) {
      text += symbol;
      at += rest[0] === '~' ? 1 : 2;
    } else if (command) {
      const name = command[1] ?? '';
      const group = readGroup(latex, at + command[0].length);
      const known = words[name];
      if (known !== undefined) {
        text += known;
        at += command[0].length;
        if (latex.startsWith('{}', at)) at += 2;
      } else if (group) {
        flush();
        if (/^(textbf|textsc)$/.test(name))
          result.push({ kind: 'strong', children: parseInline(group.text) });
        else if (/^(emph|textit|textsl|underline|uline|caption)$/.test(name))
          result.push({ kind: 'emphasis', children: parseInline(group.text) });
        else if (/^(text|textrm|textsf|textnormal|mbox)$/.test(name)) result.push(...parseInline(group.text));
        else if (name !== 'label') result.push({ kind: 'source', text: latex.slice(at, group.end) });
        at = group.end;
      } else {
        flush();
        result.push({ kind: 'source', text: command[0].trim() });
        at += command[0].length;
      }
    } else if (rest[0] === '{' || rest[0] === '}') {
      at++;
    } else {
      text += rest[0] === '\n' ? ' ' : rest[0];
      at++;
    }
  }
  flush();
  return result;
}
