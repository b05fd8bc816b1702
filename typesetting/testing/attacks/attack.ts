/**
 * An attack: one or more documents, by one owner or two, sent one after another or at once. The lists in this
 * folder are data; run-attack.ts runs them. In documents `@/` stands for a folder with canaries that
 * everybody on the machine may read, `@drop/` for one that everybody may write.
 */
import type { Asset } from '../../typesetter.ts';

export type AttackKind = 'read' | 'run' | 'exhaust' | 'reach';

/** The targets available where an attack is run. */
export interface Place {
  /** Folder with the canaries, readable by everyone. */
  home: string;
  /** Folder that everyone may write. */
  drop: string;
  /** Something listens on this TCP and on this UDP port of 127.0.0.1. */
  port: number;
  udpPort: number;
  /** Path of a listening socket that everyone may connect to, named like the database's. */
  socket: string;
  /** Name of a listening socket in the abstract namespace, without its leading zero byte. */
  abstractSocket: string;
  /** Occurs in the neighbour's documents and files and nowhere else. */
  secret: string;
  /** Left behind by an attacker who tampers; must never show in the neighbour's results. */
  mark: string;
}

export interface Step {
  owner: 'attacker' | 'neighbour' | `attacker ${number}`;
  latex: string;
  assets?: Asset[];
  cpuMs?: number;
  /** Cancelled after this many ms. */
  cancelAfterMs?: number;
  /** The result must be a PDF that shows this text. */
  shows?: string;
  /** Sent together with the step before it. */
  isTogether?: boolean;
}

export interface Attack {
  kind: AttackKind;
  /** What it tries, in a few words; unique. */
  what: string;
  steps: (place: Place) => Step[];
}

/** Time limit for an attack that would never end. */
export const shortCpuMs = 2_000;

/** A complete document around `body`. */
export const wrap = (body: string, preamble = '') =>
  `\\documentclass{article}\n\\usepackage{graphicx}\n${preamble}\\begin{document}\nharmless\n${body}\n\\end{document}\n`;

export const pdftex = '% !TEX program = pdflatex\n';
export const luatex = '% !TEX program = lualatex\n';

/** An attack that consists of one document. */
export function byDocument(
  kind: AttackKind,
  what: string,
  latex: string | ((place: Place) => string),
  rest: Partial<Pick<Step, 'cpuMs' | 'assets'>> = {},
): Attack {
  return {
    kind,
    what,
    steps: (place) => [
      { owner: 'attacker', latex: fill(typeof latex === 'string' ? latex : latex(place), place), ...rest },
    ],
  };
}

export const fill = (text: string, place: Place) =>
  text.replaceAll('@drop/', `${place.drop}/`).replaceAll('@/', `${place.home}/`);
