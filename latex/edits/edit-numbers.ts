/** Edits of numbering: sections, pages, equations. */
import { referenceCommands } from '../source/commands.ts';
import { listLabels, loadsPackage } from '../source/read-commands.ts';
import { applySplices, type Splice } from '../source/splice.ts';
import { annotate } from '../source/syntax.ts';
import { addPackage, addToPreamble } from './class-options.ts';
import { listHeadings, readDocument } from './document-parts.ts';
import { type Done, noDocument, refuse, withClass } from './edit-outcome.ts';
import type { Refusal } from './exact-edit.ts';

export function setSectionNumbers(latex: string, isOn: boolean): Done | Refusal {
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

export function setPageNumbers(latex: string, isOn: boolean): Done | Refusal {
  const parts = readDocument(latex);
  if (!parts.begin) return noDocument;
  const styles = parts.commands.filter((use) => use.name === 'pagestyle' && use.argument);
  if (styles.length > 1 || loadsPackage(latex, 'fancyhdr'))
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
  // The title page has its own style.
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

export function numberEquations(latex: string): Done | Refusal {
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

export function unnumberEquations(latex: string): Done | Refusal {
  const { tokens } = annotate(latex);
  const { commands, begin } = readDocument(latex);
  const named = (names: ReadonlySet<string>) =>
    new Set(
      commands
        .filter((use) => names.has(use.name) && use.argument)
        .map((use) => latex.slice(use.argument!.start, use.argument!.end).trim()),
    );
  const referenced = named(referenceCommands);
  const splices: Splice[] = [];
  let depth: { start: number; name: string } | null = null;
  for (const token of tokens) {
    if (token.start < (begin?.end ?? 0)) continue;
    if (token.kind === 'begin' && starrable.test(token.name)) {
      depth = { start: token.end, name: token.name };
      splices.push({ start: token.start, end: token.end, text: `\\begin{${token.name}*}` });
    } else if (token.kind === 'end' && starrable.test(token.name) && depth) {
      const inside = latex.slice(depth.start, token.start);
      for (const { name, start, end } of listLabels(inside)) {
        if (referenced.has(name)) return refuse(`The equation “${name}” is referred to by its number.`);
        splices.push({ start: depth.start + start, end: depth.start + end, text: '' });
      }
      splices.push({ start: token.start, end: token.end, text: `\\end{${token.name}*}` });
      depth = null;
    }
  }
  const count = splices.filter((one) => one.text.startsWith('\\begin')).length;
  if (count === 0) return refuse('There is no numbered equation.');
  const text = applySplices(latex, splices).text;
  const loaded =
    loadsPackage(text, 'amsmath') || loadsPackage(text, 'mathtools')
      ? text
      : addPackage(text, '\\usepackage{amsmath}');
  return withClass(loaded, `${count} equation${count === 1 ? ' has' : 's have'} no number now.`);
}

export function numberBySection(latex: string): Done | Refusal {
  if (/\\numberwithin\{equation\}/.test(latex)) return refuse('Equations are numbered by section already.');
  const loaded =
    loadsPackage(latex, 'amsmath') || loadsPackage(latex, 'mathtools')
      ? latex
      : addPackage(latex, '\\usepackage{amsmath}');
  return withClass(
    loaded && addToPreamble(loaded, '\\numberwithin{equation}{section}'),
    'Equations are numbered by section.',
  );
}

export function setFirstPage(latex: string, number: number): Done | Refusal {
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
