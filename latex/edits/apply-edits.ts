/**
 * Applies a plan, all or nothing: one edit that cannot be done refuses the whole plan. This file edits the document
 * class and its options; the title block, numbers and headings have their own files.
 */
import { escapeLatex } from '../source/escape.ts';
import { listLabels, loadsPackage } from '../source/read-commands.ts';
import {
  addPackage,
  addToPreamble,
  findPackage,
  setClassOption,
  setMargins,
  setOptions,
} from './class-options.ts';
import { readDocument } from './document-parts.ts';
import { addHeading, plainWords, setContents, withHeading } from './edit-headings.ts';
import {
  numberBySection,
  numberEquations,
  setFirstPage,
  setPageNumbers,
  setSectionNumbers,
  unnumberEquations,
} from './edit-numbers.ts';
import { type Done, noDocument, refuse, withClass } from './edit-outcome.ts';
import { addAuthor, removeTitlePart, setTitlePart } from './edit-title.ts';
import type { AppliedEdits, EditPlan, ExactEdit, Refusal } from './exact-edit.ts';
import { replaceWords } from './replace-words.ts';

/** Applies every edit of a plan in order. */
export function applyEdits(latex: string, plan: EditPlan): AppliedEdits | Refusal {
  let text = latex;
  const descriptions: string[] = [];
  for (const edit of plan.edits) {
    const done = applyEdit(text, edit);
    if ('kind' in done) return done;
    text = done.latex;
    descriptions.push(done.description);
  }
  return { kind: 'applied', latex: text, description: descriptions.join(' ') };
}

function applyEdit(latex: string, edit: ExactEdit): Done | Refusal {
  switch (edit.type) {
    case 'set-title':
      return setTitlePart(latex, 'title', escapeLatex(edit.text), `The title is now “${edit.text}”.`);
    case 'set-author':
      return setTitlePart(latex, 'author', escapeLatex(edit.text), `The author is now “${edit.text}”.`);
    case 'set-date':
      return setTitlePart(latex, 'date', escapeLatex(edit.text), `The date is now “${edit.text}”.`);
    case 'date-today':
      return setTitlePart(latex, 'date', '\\today', 'The date is that of the day it is compiled.');
    case 'add-author':
      return addAuthor(latex, edit.text);
    case 'remove-title':
    case 'remove-author':
    case 'remove-date':
      return removeTitlePart(latex, edit.type.slice('remove-'.length) as 'title' | 'author' | 'date');
    case 'font-size':
      return withClass(
        setClassOption(latex, `${edit.points}pt`, (option) => /^\d+(\.\d+)?pt$|^fontsize=/.test(option)),
        `The font size is ${edit.points} pt.`,
      );
    case 'paper':
      return setPaper(latex, edit.option);
    case 'class-option':
      return setPlainOption(latex, edit);
    case 'document-class':
      return setDocumentClass(latex, edit.name);
    case 'margins': {
      const names =
        edit.sides.length === 4
          ? 'All margins are'
          : `The ${edit.sides.join(' and ')} margin${edit.sides.length > 1 ? 's are' : ' is'}`;
      return withClass(
        setMargins(latex, edit.sides, edit.length),
        `${names} ${edit.length.replace(/([a-z]+)$/, ' $1')}.`,
      );
    }
    case 'line-spacing':
      return setLineSpacing(latex, edit.factor);
    case 'section-numbers':
      return setSectionNumbers(latex, edit.isOn);
    case 'page-numbers':
      return setPageNumbers(latex, edit.isOn);
    case 'equation-numbers':
      return edit.isOn ? numberEquations(latex) : unnumberEquations(latex);
    case 'numbers-by-section':
      return numberBySection(latex);
    case 'first-page-number':
      return setFirstPage(latex, edit.number);
    case 'replace': {
      const parts = readDocument(latex);
      const replaced = replaceWords(latex, edit, parts.begin?.end ?? 0, parts.bodyEnd);
      if (replaced.kind === 'refusal') return replaced;
      const times = replaced.count === 1 ? 'once' : `${replaced.count} times`;
      return {
        latex: replaced.latex,
        description:
          edit.to === ''
            ? `“${edit.from}” was removed ${times}.`
            : `“${edit.from}” was replaced by “${edit.to}” ${times}.`,
      };
    }
    case 'rename-heading':
      return withHeading(latex, edit.heading, ({ use, words }) => {
        const [label] = listLabels(words);
        return {
          splices: [
            {
              ...use.argument!,
              text: escapeLatex(edit.to) + (label ? words.slice(label.start, label.end) : ''),
            },
          ],
          description: `The heading “${plainWords(words)}” is now “${edit.to}”.`,
        };
      });
    case 'move-heading':
      return withHeading(latex, edit.heading, ({ use, level, words, isStarred }) => {
        if (level === edit.level) return null;
        const end = use.start + 1 + use.name.length;
        return {
          splices: [{ start: use.start, end, text: `\\${edit.level}${isStarred ? '*' : ''}` }],
          description: `“${plainWords(words)}” is now a ${edit.level}.`,
        };
      });
    case 'remove-heading':
      return withHeading(latex, edit.heading, ({ use, words }) => ({
        splices: [{ start: use.start, end: use.end + (/^\n/.test(latex.slice(use.end)) ? 1 : 0), text: '' }],
        description: `The heading “${plainWords(words)}” was removed; its text stays.`,
      }));
    case 'page-break':
      return withHeading(latex, edit.heading, ({ use, words }) => ({
        splices: [{ start: use.start, end: use.start, text: '\\clearpage\n' }],
        description: `“${plainWords(words)}” begins on a new page.`,
      }));
    case 'add-heading':
      return addHeading(latex, edit);
    case 'table-of-contents':
      return setContents(latex, edit.isOn);
  }
}

const isPaper = (option: string) =>
  /^(a[0-6]|b[0-6]|c[0-6]|letter|legal|executive|ansi[a-e])paper$|^paper=/.test(option);

function setPaper(latex: string, option: string): Done | Refusal {
  const text = setClassOption(latex, option, isPaper);
  if (text === null) return noDocument;
  const geometry = findPackage(text, 'geometry');
  // geometry's paper would override the class's.
  const tidy = geometry?.options
    ? setOptions(text, geometry, (options) => options.filter((one) => !isPaper(one)))
    : text;
  return { latex: tidy, description: `The paper is ${option.replace('paper', '')}.` };
}

function setPlainOption(latex: string, edit: Extract<ExactEdit, { type: 'class-option' }>): Done | Refusal {
  const parts = readDocument(latex);
  if (!parts.documentClass) return noDocument;
  const text = setClassOption(latex, edit.option, (option) => edit.instead.includes(option));
  if (text === latex || text === null) return refuse(`The document has ${edit.wanted} already.`);
  const geometry = findPackage(text, 'geometry');
  const tidy = geometry?.options
    ? setOptions(text, geometry, (options) => options.filter((one) => !edit.instead.includes(one)))
    : text;
  return { latex: tidy, description: `The document has ${edit.wanted}.` };
}

function setDocumentClass(latex: string, name: string): Done | Refusal {
  const { documentClass } = readDocument(latex);
  if (!documentClass?.argument) return noDocument;
  const { start, end } = documentClass.argument;
  if (latex.slice(start, end).trim() === name) return refuse(`The document class is ${name} already.`);
  return {
    latex: latex.slice(0, start) + name + latex.slice(end),
    description: `The document class is ${name}.`,
  };
}

function setLineSpacing(latex: string, factor: 'single' | 'onehalf' | 'double'): Done | Refusal {
  const line = `\\${factor === 'single' ? 'singlespacing' : factor === 'double' ? 'doublespacing' : 'onehalfspacing'}`;
  const old = readDocument(latex).commands.filter(({ name }) =>
    /^(single|onehalf|double)spacing$/.test(name),
  );
  if (old.length > 1) return refuse('The document changes its line spacing more than once.');
  const description = `Lines are set with ${factor === 'onehalf' ? 'one and a half' : factor} spacing.`;
  if (old[0])
    return {
      latex: latex.slice(0, old[0].start) + line + latex.slice(old[0].start + 1 + old[0].name.length),
      description,
    };
  const loaded = loadsPackage(latex, 'setspace') ? latex : addPackage(latex, '\\usepackage{setspace}');
  const text = loaded === null ? null : addToPreamble(loaded, line);
  return withClass(text, description);
}
