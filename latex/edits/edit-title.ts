/** Edits of the title block: title, author, date. */
import { escapeLatex } from '../source/escape.ts';
import { applySplices, type Splice } from '../source/splice.ts';
import { readDocument } from './document-parts.ts';
import { type Done, noDocument, refuse } from './edit-outcome.ts';
import type { Refusal } from './exact-edit.ts';

/** Replaces a part of the title block, or inserts it before `\begin{document}`, with `\maketitle` if missing. */
export function setTitlePart(
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
    // Without a date LaTeX prints the current one.
    const date =
      part === 'title' && !parts.commands.some(({ name }) => name === 'date') && !hasMake ? '\\date{}\n' : '';
    splices.push({ start: parts.begin.start, end: parts.begin.start, text: `\\${part}{${value}}\n${date}` });
  }
  const isAtLineEnd = latex[parts.begin.end] === '\n';
  if (!hasMake)
    splices.push({
      start: parts.begin.end,
      end: parts.begin.end,
      text: `\n\\maketitle${isAtLineEnd ? '' : '\n'}`,
    });
  return { latex: applySplices(latex, splices).text, description };
}

export function addAuthor(latex: string, name: string): Done | Refusal {
  const use = readDocument(latex).commands.find((one) => one.name === 'author' && one.argument);
  const old = use ? latex.slice(use.argument!.start, use.argument!.end).trim() : '';
  const value = old === '' ? escapeLatex(name) : `${old} \\and ${escapeLatex(name)}`;
  return setTitlePart(latex, 'author', value, `“${name}” is an author.`);
}

export function removeTitlePart(latex: string, part: 'title' | 'author' | 'date'): Done | Refusal {
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
