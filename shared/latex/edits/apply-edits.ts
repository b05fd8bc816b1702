/** Carries a plan out. All of it or nothing: one edit that cannot be done refuses the whole. */
import { escapeLatex } from '../escape.ts';
import { applySplices, type Splice } from '../splice.ts';
import { annotate } from '../syntax.ts';
import {
  addPackage,
  addToPreamble,
  findPackage,
  hasPackage,
  setClassOption,
  setMargins,
  setOptions,
} from './class-options.ts';
import { type Heading, listHeadings, plainHeading, readDocument } from './document-parts.ts';
import type { AppliedEdits, EditPlan, ExactEdit, HeadingReference, Refusal } from './exact-edit.ts';
import { replaceWords } from './replace-words.ts';

interface Done {
  latex: string;
  description: string;
}

const refuse = (message: string): Refusal => ({
  kind: 'refusal',
  message: `${message} Nothing was changed.`,
});
const noDocument = refuse('The text has no \\documentclass and \\begin{document} to work on.');

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
        const label = /\\label\{[^}]*\}/.exec(words)?.[0] ?? '';
        return {
          splices: [{ ...use.argument!, text: escapeLatex(edit.to) + label }],
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

const plainWords = (words: string) => words.replace(/\\label\{[^}]*\}/g, '').trim();

function withClass(latex: string | null, description: string): Done | Refusal {
  return latex === null ? noDocument : { latex, description };
}

/** Replaces one part of the title block, or puts it before `\begin{document}`, with `\maketitle` where it was missing. */
function setTitlePart(
  latex: string,
  part: 'title' | 'author' | 'date',
  value: string,
  description: string,
): Done | Refusal {
  const parts = readDocument(latex);
  if (!parts.begin) return noDocument;
  const uses = parts.commands.filter((use) => use.name === part && use.argument);
  if (uses.length > 1) return refuse(`The document sets its ${part} more than once.`);
  const use = uses[0];
  const hasTitle = part === 'title' || parts.commands.some(({ name }) => name === 'title');
  const hasMake = parts.commands.some(({ name }) => name === 'maketitle');
  if (!hasTitle) return refuse(`The document has no title for the ${part} to stand below: set a title too.`);
  const splices: Splice[] = [];
  if (use) splices.push({ ...use.argument!, text: value });
  else {
    // Without a date LaTeX prints today's.
    const date =
      part === 'title' && !parts.commands.some(({ name }) => name === 'date') && !hasMake ? '\\date{}\n' : '';
    splices.push({ start: parts.begin.start, end: parts.begin.start, text: `\\${part}{${value}}\n${date}` });
  }
  if (!hasMake) splices.push({ start: parts.begin.end, end: parts.begin.end, text: '\n\\maketitle' });
  return { latex: applySplices(latex, splices).text, description };
}

function addAuthor(latex: string, name: string): Done | Refusal {
  const use = readDocument(latex).commands.find((one) => one.name === 'author' && one.argument);
  const old = use ? latex.slice(use.argument!.start, use.argument!.end).trim() : '';
  const value = old === '' ? escapeLatex(name) : `${old} \\and ${escapeLatex(name)}`;
  return setTitlePart(latex, 'author', value, `“${name}” is an author.`);
}

function removeTitlePart(latex: string, part: 'title' | 'author' | 'date'): Done | Refusal {
  const parts = readDocument(latex);
  if (!parts.begin) return noDocument;
  const make = parts.commands.filter(({ name }) => name === 'maketitle');
  if (part === 'date') {
    if (make.length === 0) return refuse('The document has no title block with a date.');
    return setTitlePart(latex, 'date', '', 'The date was removed.');
  }
  const uses = parts.commands.filter(
    (use) => use.argument && (use.name === part || (part === 'title' && /^(author|date)$/.test(use.name))),
  );
  if (!uses.some(({ name }) => name === part)) return refuse(`The document has no ${part}.`);
  const gone = part === 'title' ? [...uses, ...make] : uses;
  const splices = gone.map(({ start, end }) => ({
    start,
    end: end + (latex[end] === '\n' ? 1 : 0),
    text: '',
  }));
  const description = part === 'title' ? 'The title block was removed.' : 'The author was removed.';
  if (part === 'author') {
    const use = uses[0]!;
    return { latex: applySplices(latex, [{ ...use.argument!, text: '' }]).text, description };
  }
  return { latex: applySplices(latex, splices).text, description };
}

const isPaper = (option: string) =>
  /^(a[0-6]|b[0-6]|c[0-6]|letter|legal|executive|ansi[a-e])paper$|^paper=/.test(option);

function setPaper(latex: string, option: string): Done | Refusal {
  const text = setClassOption(latex, option, isPaper);
  if (text === null) return noDocument;
  const geometry = findPackage(text, 'geometry');
  // geometry's own paper would win over the class's.
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
  const loaded = hasPackage(latex, 'setspace') ? latex : addPackage(latex, '\\usepackage{setspace}');
  const text = loaded === null ? null : addToPreamble(loaded, line);
  return withClass(text, description);
}

function setSectionNumbers(latex: string, isOn: boolean): Done | Refusal {
  const parts = readDocument(latex);
  if (!parts.begin) return noDocument;
  const headings = listHeadings(latex, parts);
  if (headings.length === 0) return refuse('The document has no sections.');
  const depth = parts.commands.find(
    (use) =>
      use.name === 'setcounter' &&
      use.argument &&
      latex.slice(use.argument.start, use.argument.end) === 'secnumdepth',
  );
  const value = depth ? /^\s*\{(-?\d+)\}/.exec(latex.slice(depth.end)) : null;
  const splices: Splice[] = [];
  if (isOn) {
    for (const { use, isStarred } of headings) {
      const star = use.start + 1 + use.name.length - 1;
      if (isStarred) splices.push({ start: star, end: star + 1, text: '' });
    }
    if (depth && value && Number(value[1]) < 1) {
      const end = depth.end + value[0].length;
      splices.push({ start: depth.start, end: end + (latex[end] === '\n' ? 1 : 0), text: '' });
    }
    if (splices.length === 0) return refuse('The sections are numbered already.');
    return { latex: applySplices(latex, splices).text, description: 'Sections are numbered.' };
  }
  if (value && Number(value[1]) < 1) return refuse('The sections are not numbered as it is.');
  if (depth && value) {
    splices.push({ start: depth.end, end: depth.end + value[0].length, text: '{0}' });
    return { latex: applySplices(latex, splices).text, description: 'Sections are not numbered.' };
  }
  return withClass(addToPreamble(latex, '\\setcounter{secnumdepth}{0}'), 'Sections are not numbered.');
}

function setPageNumbers(latex: string, isOn: boolean): Done | Refusal {
  const parts = readDocument(latex);
  if (!parts.begin) return noDocument;
  const styles = parts.commands.filter((use) => use.name === 'pagestyle' && use.argument);
  if (styles.length > 1 || hasPackage(latex, 'fancyhdr'))
    return refuse('The document sets its own headers and footers.');
  const wanted = isOn ? 'plain' : 'empty';
  const style = styles[0];
  const current = style ? latex.slice(style.argument!.start, style.argument!.end).trim() : 'plain';
  if (current === wanted)
    return refuse(isOn ? 'The pages are numbered already.' : 'The pages are not numbered as it is.');
  const splices: Splice[] = style
    ? [{ ...style.argument!, text: wanted }]
    : [{ start: parts.begin.start, end: parts.begin.start, text: `\\pagestyle{${wanted}}\n` }];
  const make = parts.commands.find(({ name }) => name === 'maketitle');
  // The title page has a style of its own.
  const first = parts.commands.find((use) => use.name === 'thispagestyle' && use.argument);
  if (!isOn && make && !first)
    splices.push({ start: make.end, end: make.end, text: '\\thispagestyle{empty}' });
  if (isOn && first && latex.slice(first.argument!.start, first.argument!.end).trim() === 'empty') {
    splices.push({ start: first.start, end: first.end, text: '' });
  }
  return {
    latex: applySplices(latex, splices).text,
    description: isOn ? 'Pages are numbered.' : 'Pages are not numbered.',
  };
}

const starrable = /^(equation|align|gather|multline|flalign|alignat)$/;

function numberEquations(latex: string): Done | Refusal {
  const { tokens, spots } = annotate(latex);
  const { begin } = readDocument(latex);
  const splices: Splice[] = [];
  let open: number | null = null;
  tokens.forEach((token, index) => {
    if (token.start < (begin?.end ?? 0)) return;
    if (
      (token.kind === 'begin' || token.kind === 'end') &&
      token.name.endsWith('*') &&
      starrable.test(token.name.slice(0, -1))
    ) {
      splices.push({
        start: token.start,
        end: token.end,
        text: `\\${token.kind}{${token.name.slice(0, -1)}}`,
      });
    }
    const isOpener = token.kind === 'command' && token.name === '[' && spots[index]!.mode === 'text';
    const isDouble = token.kind === 'double-dollar';
    if (isOpener || (isDouble && open === null && spots[index]!.mode === 'text')) {
      splices.push({ start: token.start, end: token.end, text: '\\begin{equation}' });
      open = index;
    } else if ((token.kind === 'command' && token.name === ']') || (isDouble && open !== null)) {
      if (open !== null) splices.push({ start: token.start, end: token.end, text: '\\end{equation}' });
      open = null;
    }
  });
  const count = splices.length / 2;
  if (count === 0) return refuse('There is no unnumbered displayed equation.');
  return {
    latex: applySplices(latex, splices).text,
    description: `${count} displayed equation${count === 1 ? ' is' : 's are'} numbered now.`,
  };
}

function unnumberEquations(latex: string): Done | Refusal {
  const { tokens } = annotate(latex);
  const { commands, begin } = readDocument(latex);
  const named = (name: RegExp) =>
    new Set(
      commands
        .filter((use) => name.test(use.name) && use.argument)
        .map((use) => latex.slice(use.argument!.start, use.argument!.end).trim()),
    );
  const referenced = named(/^(ref|eqref|autoref|cref|Cref|pageref)$/);
  const splices: Splice[] = [];
  let depth: { start: number; name: string } | null = null;
  for (const token of tokens) {
    if (token.start < (begin?.end ?? 0)) continue;
    if (token.kind === 'begin' && starrable.test(token.name)) {
      depth = { start: token.end, name: token.name };
      splices.push({ start: token.start, end: token.end, text: `\\begin{${token.name}*}` });
    } else if (token.kind === 'end' && starrable.test(token.name) && depth) {
      const inside = latex.slice(depth.start, token.start);
      for (const label of inside.matchAll(/\\label\{([^}]*)\}/g)) {
        if (referenced.has(label[1]!.trim()))
          return refuse(`The equation “${label[1]}” is referred to by its number.`);
        const at = depth.start + label.index;
        splices.push({ start: at, end: at + label[0].length, text: '' });
      }
      splices.push({ start: token.start, end: token.end, text: `\\end{${token.name}*}` });
      depth = null;
    }
  }
  const count = splices.filter((one) => one.text.startsWith('\\begin')).length;
  if (count === 0) return refuse('There is no numbered equation.');
  const text = applySplices(latex, splices).text;
  const loaded =
    hasPackage(text, 'amsmath') || hasPackage(text, 'mathtools')
      ? text
      : addPackage(text, '\\usepackage{amsmath}');
  return withClass(loaded, `${count} equation${count === 1 ? ' has' : 's have'} no number now.`);
}

function numberBySection(latex: string): Done | Refusal {
  if (/\\numberwithin\{equation\}/.test(latex)) return refuse('Equations are numbered by section already.');
  const loaded =
    hasPackage(latex, 'amsmath') || hasPackage(latex, 'mathtools')
      ? latex
      : addPackage(latex, '\\usepackage{amsmath}');
  return withClass(
    loaded && addToPreamble(loaded, '\\numberwithin{equation}{section}'),
    'Equations are numbered by section.',
  );
}

function setFirstPage(latex: string, number: number): Done | Refusal {
  const { begin, commands } = readDocument(latex);
  if (!begin) return noDocument;
  const old = commands.find(
    (use) =>
      use.name === 'setcounter' &&
      use.argument &&
      latex.slice(use.argument.start, use.argument.end) === 'page',
  );
  if (old) return refuse('The document sets its page number already.');
  return {
    latex: `${latex.slice(0, begin.end)}\n\\setcounter{page}{${number}}${latex.slice(begin.end)}`,
    description: `Pages are numbered from ${number}.`,
  };
}

function findHeading(latex: string, reference: HeadingReference): Heading | Refusal {
  const headings = listHeadings(latex, readDocument(latex));
  if (reference.by === 'number') {
    const heading = headings.filter(({ level }) => level === reference.level)[reference.number - 1];
    return heading ?? refuse(`There is no ${reference.level} ${reference.number}.`);
  }
  const wanted = plainHeading(escapeLatex(reference.words));
  const found = headings.filter(({ words }) => plainHeading(words) === wanted);
  if (found.length === 1) return found[0]!;
  return refuse(
    found.length === 0
      ? `There is no heading “${reference.words}”.`
      : `There is more than one heading “${reference.words}”.`,
  );
}

function withHeading(
  latex: string,
  reference: HeadingReference,
  change: (heading: Heading) => { splices: Splice[]; description: string } | null,
): Done | Refusal {
  const heading = findHeading(latex, reference);
  if ('kind' in heading) return heading;
  const done = change(heading);
  if (!done) return refuse(`“${plainWords(heading.words)}” is a ${heading.level} already.`);
  return { latex: applySplices(latex, done.splices).text, description: done.description };
}

function addHeading(latex: string, edit: Extract<ExactEdit, { type: 'add-heading' }>): Done | Refusal {
  const parts = readDocument(latex);
  if (!parts.begin) return noDocument;
  const line = `\\${edit.level}{${escapeLatex(edit.words)}}`;
  const description = `The ${edit.level} “${edit.words}” was added.`;
  const { place } = edit;
  if (place.at === 'end') {
    const before = latex.slice(0, parts.bodyEnd).trimEnd();
    return { latex: `${before}\n\n${line}\n\n${latex.slice(parts.bodyEnd)}`, description };
  }
  if (place.at === 'start') {
    const front = parts.commands.filter(
      ({ name, start }) =>
        /^(maketitle|tableofcontents|thispagestyle)$/.test(name) && start > parts.begin!.start,
    );
    const at = Math.max(parts.begin.end, ...front.map(({ end }) => end));
    return { latex: `${latex.slice(0, at)}\n\n${line}\n${latex.slice(at)}`, description };
  }
  const heading = findHeading(latex, place.heading);
  if ('kind' in heading) return heading;
  if (place.at === 'before') {
    return {
      latex: `${latex.slice(0, heading.use.start)}${line}\n\n${latex.slice(heading.use.start)}`,
      description,
    };
  }
  // After a section means after all that belongs to it: before the next heading of its level or above.
  const rank = (level: string) => level.split('sub').length;
  const next = listHeadings(latex, parts).find(
    (one) => one.use.start > heading.use.start && rank(one.level) <= rank(heading.level),
  );
  const at = next?.use.start ?? parts.bodyEnd;
  return { latex: `${latex.slice(0, at).trimEnd()}\n\n${line}\n\n${latex.slice(at)}`, description };
}

function setContents(latex: string, isOn: boolean): Done | Refusal {
  const parts = readDocument(latex);
  if (!parts.begin) return noDocument;
  const old = parts.commands.find(({ name }) => name === 'tableofcontents');
  if (!isOn) {
    if (!old) return refuse('The document has no table of contents.');
    const end = old.end + (latex[old.end] === '\n' ? 1 : 0);
    return {
      latex: latex.slice(0, old.start) + latex.slice(end),
      description: 'The table of contents was removed.',
    };
  }
  if (old) return refuse('The document has a table of contents already.');
  const make = parts.commands.find(({ name, start }) => name === 'maketitle' && start > parts.begin!.start);
  const at = make?.end ?? parts.begin.end;
  return {
    latex: `${latex.slice(0, at)}\n\\tableofcontents\n${latex.slice(at)}`,
    description: 'A table of contents was added.',
  };
}
