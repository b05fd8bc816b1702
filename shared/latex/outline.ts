/** The headings of a document, for the editor's outline and for jumping to them. */
import { readGroup, readOptional, scanLatex } from './scan.ts';

export interface OutlineEntry {
  /** 0 chapter, 1 section, 2 subsection, 3 subsubsection, 4 paragraph. */
  level: number;
  /** As a person reads it: without commands and braces. */
  title: string;
  /** UTF-16 offset of the heading's backslash. */
  start: number;
  /** 1-based. */
  line: number;
}

const levels: Record<string, number> = {
  part: 0,
  chapter: 0,
  section: 1,
  subsection: 2,
  subsubsection: 3,
  paragraph: 4,
};

export function listOutline(latex: string): OutlineEntry[] {
  const tokens = scanLatex(latex);
  const entries: OutlineEntry[] = [];
  let line = 1;
  let counted = 0;
  tokens.forEach((token, index) => {
    if (token.kind !== 'command') return;
    const level = levels[token.name.replace('*', '')];
    if (level === undefined) return;
    const optional = readOptional(tokens, index + 1);
    const group = readGroup(tokens, optional ? optional.close + 1 : index + 1);
    if (!group) return;
    for (; counted < token.start; counted++) if (latex[counted] === '\n') line++;
    entries.push({
      level,
      title: readableTitle(latex.slice(group.start, group.end)),
      start: token.start,
      line,
    });
  });
  return entries;
}

/** Commands that change how what follows looks, and say nothing. */
const switches =
  /\\(?:tiny|scriptsize|footnotesize|small|normalsize|large|Large|LARGE|huge|Huge|(?:bf|md|it|sl|sc|up|rm|sf|tt)(?:series|shape|family)?|normalfont|em)(?![A-Za-z])\s*/g;

/** A heading's words without mark-up. */
export function readableTitle(title: string): string {
  return title
    .replace(/\\(?:label|thanks|footnote)\s*\{[^}]*\}/g, '')
    .replace(/\\\\\*?(?:\[[^\]]*\])?|\\(?:newline|linebreak|protect|centering)(?![A-Za-z])/g, ' ')
    .replace(switches, '')
    .replace(/\\(?:text(?:bf|it|rm|sf|tt|sc)|emph|mathbf|mathrm|mathbb|mathcal)\s*(?=\{)/g, '')
    .replace(/\\([&%#_$])/g, '$1')
    .replace(/(?<!\\)[{}$]|\\[,;:! ]/g, '')
    .replace(/~/g, ' ')
    .replace(/---/g, '—')
    .replace(/--/g, '–')
    .replace(/\s+/g, ' ')
    .trim();
}
