/** What the screen around an editor knows of the document: its figures, its other texts, the entries that can be cited. */
import { Facet } from '@codemirror/state';
import type { Figure } from '#shared/api/conversion.ts';
import type { InkCandidate, InkRequest } from '#shared/api/ink.ts';
import type { ProjectTexts } from '../lines/project-outline.ts';

/** Names of the figures for `\includegraphics`. */
export const figureNames = Facet.define<() => readonly string[], () => readonly string[]>({
  combine: (sources) => () => sources.flatMap((source) => source()),
});
/** The figures themselves, for the visual mode; empty while they are loaded. */
export const figures = Facet.define<() => readonly Figure[], () => readonly Figure[]>({
  combine: (sources) => () => sources.flatMap((source) => source()),
});
/** A bibliography entry that can be cited. */
export interface Citation {
  key: string;
  /** Author, year and title; may be empty. */
  detail: string;
  /** All of the entry that a reader looks for, one line each: title, authors, where and when. */
  entry: readonly string[];
}
/** The entries of the document's .bib files, for `\cite`. */
export const citations = Facet.define<() => readonly Citation[], () => readonly Citation[]>({
  combine: (sources) => () => sources.flatMap((source) => source()),
});
/** Reads what is drawn: the candidates, or a sentence that says why there are none. */
export type ReadInk = (
  ink: InkRequest,
  signal: AbortSignal,
) => Promise<{ candidates: readonly InkCandidate[] } | { problem: string }>;
/** For the pad; without it, nothing can be drawn here. */
export const inkReading = Facet.define<ReadInk, ReadInk | null>({ combine: ([first]) => first ?? null });

/** Words that the user has accepted. */
export interface OwnWords {
  has: (word: string) => boolean;
  add: (word: string) => void;
}
export const ownWords = Facet.define<OwnWords, OwnWords>({
  combine: ([first]) => first ?? { has: () => false, add: () => {} },
});

/** The texts of a document of several files, for the outline. */
export const projectTexts = Facet.define<ProjectTexts, ProjectTexts | null>({
  combine: ([first]) => first ?? null,
});
