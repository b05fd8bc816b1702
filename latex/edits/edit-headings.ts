/** Edits of headings and of the table of contents. */
import { escapeLatex } from '../source/escape.ts';
import { withoutLabels } from '../source/read-commands.ts';
import { applySplices, type Splice } from '../source/splice.ts';
import { type Heading, listHeadings, plainHeading, readDocument } from './document-parts.ts';
import { type Done, noDocument, refuse } from './edit-outcome.ts';
import type { ExactEdit, HeadingReference, Refusal } from './exact-edit.ts';

/** Returns the words of a heading without its label. */
export const plainWords = (words: string) => withoutLabels(words).trim();

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

/** Changes the heading referred to; `change` returns null if it already has the requested level. */
export function withHeading(
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

export function addHeading(latex: string, edit: Extract<ExactEdit, { type: 'add-heading' }>): Done | Refusal {
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
  // "After a section" means after everything in it: before the next heading of its level or above.
  const rank = (level: string) => level.split('sub').length;
  const next = listHeadings(latex, parts).find(
    (one) => one.use.start > heading.use.start && rank(one.level) <= rank(heading.level),
  );
  const at = next?.use.start ?? parts.bodyEnd;
  return { latex: `${latex.slice(0, at).trimEnd()}\n\n${line}\n\n${latex.slice(at)}`, description };
}

export function setContents(latex: string, isOn: boolean): Done | Refusal {
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
