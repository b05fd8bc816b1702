/** Word count: words, formulas, and both by section. Commands, arguments and comments do not count. */
import type { EditorState } from '@codemirror/state';
import { getLineIndex } from './lines/line-index.ts';
import { scanLine } from './lines/scan-line.ts';
import { getStructure } from './lines/structure.ts';

interface Count {
  words: number;
  /** Unicode characters, without white space. */
  characters: number;
  formulas: number;
}

interface SectionCount extends Count {
  /** null for the text before the first heading. */
  title: string | null;
  level: number;
  line: number;
}

export interface WordCount extends Count {
  sections: SectionCount[];
}

const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}’'-]*/gu;

/** Counts the text between `\begin{document}` and its end, or all of it without these. */
export function countWords(state: EditorState): WordCount {
  const { lines } = getLineIndex(state);
  const structure = getStructure(state);
  const { begin, end: ending } = structure.body;
  const first = begin?.line ?? 1;
  const last = ending?.line ?? state.doc.lines;
  const sections: SectionCount[] = [
    { title: null, level: 0, line: first, words: 0, characters: 0, formulas: 0 },
  ];
  const texts = state.doc.iterLines(first);
  for (let number = first; number <= last; number++) {
    const heading = structure.headingAt.get(number);
    if (heading)
      sections.push({
        title: heading.title,
        level: heading.level,
        line: number,
        words: 0,
        characters: 0,
        formulas: 0,
      });
    const section = sections[sections.length - 1]!;
    const text = texts.next().value;
    const { entry, marks } = lines[number - 1]!;
    // every formula is opened once: by an environment, or by the first of its two delimiters
    let isInside = entry.startsWith('m:');
    const start = number === begin?.line ? begin.mark.to : 0;
    const end = number === ending?.line ? ending.mark.from : text.length;
    scanLine(text, entry, (kind, from, to) => {
      if (from < start || to > end) return;
      if (kind === 'delimiter') {
        if (!isInside) section.formulas++;
        isInside = !isInside;
      }
      if (kind !== 'text') return;
      const run = text.slice(from, to);
      section.words += run.match(word)?.length ?? 0;
      section.characters += [...run.replace(/\s/g, '')].length;
    });
    for (const mark of marks)
      if (mark.kind === 'begin' && scanLine(text.slice(0, mark.to), entry).exit === `e:${mark.name}`)
        section.formulas++;
  }
  const total = { words: 0, characters: 0, formulas: 0 };
  for (const { words, characters, formulas } of sections) {
    total.words += words;
    total.characters += characters;
    total.formulas += formulas;
  }
  const isWritten = ({ title, words, formulas }: SectionCount) => title !== null || words + formulas > 0;
  return { ...total, sections: sections.filter(isWritten) };
}
