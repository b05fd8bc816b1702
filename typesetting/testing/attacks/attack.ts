/**
 * What an attack is: one document or several, by one owner or two, sent one after another or at once. The lists beside
 * this file are data; running-attacks.ts runs them. In documents `@/` stands for a folder with canaries that everybody
 * on the machine may read, `@drop/` for one that everybody may write.
 */
import type { Asset } from '../../typesetter.ts';

export type AttackKind = 'read' | 'run' | 'exhaust' | 'reach';

/** Where an attack is run: what it may try to get at. */
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
  /** Stands in the neighbour's documents and files and nowhere else. */
  secret: string;
  /** What an attacker who tampers leaves behind; must never show in what the neighbour gets. */
  mark: string;
}

export interface Step {
  owner: 'attacker' | 'neighbour' | `attacker ${number}`;
  latex: string;
  assets?: Asset[];
  cpuMs?: number;
  /** Given up after so many ms. */
  cancelAfterMs?: number;
  /** The result must be a PDF that shows this text. */
  shows?: string;
  /** Sent with the step before it, not after. */
  isTogether?: boolean;
}

export interface Attack {
  kind: AttackKind;
  /** What it tries, in a few words; unique among all. */
  what: string;
  steps: (place: Place) => Step[];
}

/** Wall clock of an attack that would never end. */
export const patienceMs = 2_000;

/** A whole document around `body`. */
export const wrap = (body: string, preamble = '') =>
  `\\documentclass{article}\n\\usepackage{graphicx}\n${preamble}\\begin{document}\nharmless\n${body}\n\\end{document}\n`;

export const pdftex = '% !TEX program = pdflatex\n';
export const luatex = '% !TEX program = lualatex\n';

/** An attack that is one document. */
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
