/** Commands that change how the text is typeset: shared by the formatting bar and the command palette. */
import type { Command } from '@codemirror/view';
import { insertEquation, insertLink } from './edits/insertions.ts';
import { toggleList } from './edits/lists.ts';
import { toggleStyle } from './edits/style.ts';
import { command, keyedFormats } from './extensions/formatting.ts';

/** Keyed by their effect, in the order in which they are listed. */
export const formats = {
  bold: keyedFormats.bold,
  italic: keyedFormats.italic,
  emphasis: command((state) => toggleStyle(state, 'emphasis')),
  underline: command((state) => toggleStyle(state, 'underline')),
  typewriter: command((state) => toggleStyle(state, 'typewriter')),
  math: keyedFormats.math,
  displayMath: keyedFormats.displayMath,
  formula: keyedFormats.formula,
  pad: keyedFormats.pad,
  equation: command(insertEquation),
  section: keyedFormats.section,
  subsection: keyedFormats.subsection,
  subsubsection: keyedFormats.subsubsection,
  bullets: command((state) => toggleList(state, 'itemize')),
  numbers: command((state) => toggleList(state, 'enumerate')),
  link: command(insertLink),
  comment: keyedFormats.comment,
} satisfies Record<string, Command>;
