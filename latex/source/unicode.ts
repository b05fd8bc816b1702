/**
 * Characters beyond the default text font. TeX prints nothing for a character that its font lacks, without an error,
 * so words would vanish silently: every such character becomes LaTeX that prints, is set in a font that has it,
 * or is reported.
 */
import { escapeLatex } from './escape.ts';
import { scanLatex } from './scan.ts';
import type { Splice } from './splice.ts';
import { annotate } from './syntax.ts';
import {
  fractionCharacters,
  isPrintedByDefault,
  isPrintedByOtherScript,
  mathCharacters,
  subscriptCharacters,
  superscriptCharacters,
  textCharacters,
} from './unicode-table.ts';

export interface CharacterReport {
  splices: Splice[];
  /** Characters that no installed font prints, without duplicates. They stay in the LaTeX. */
  unprintable: string[];
  /** Letters of scripts that need the fallback font (Greek, Cyrillic), and all letters: the assembler weighs them. */
  otherScriptLetters: number;
  letters: number;
}

/** The family command that the preamble defines if a text has runs of another script. */
export const otherScriptCommand = '\\otherscript';

/** A mathematical alphanumeric (𝑥, 𝐀, 𝔽) as its letter and alphabet, or null. */
function mathAlphanumeric(character: string): string | null {
  const code = character.codePointAt(0)!;
  if (code < 0x1d400 || code > 0x1d7ff) return null;
  const plain = character.normalize('NFKC');
  const asMath = mathCharacters.get(plain);
  if (asMath) return asMath;
  if (code <= 0x1d433) return `\\mathbf{${plain}}`;
  if (code >= 0x1d49c && code <= 0x1d4cf && /[A-Z]/.test(plain)) return `\\mathcal{${plain}}`;
  if (code >= 0x1d504 && code <= 0x1d537) return `\\mathfrak{${plain}}`;
  if (code >= 0x1d538 && code <= 0x1d56b) return `\\mathbb{${plain}}`;
  return plain;
}

function scriptRun(
  text: string,
  at: number,
  map: ReadonlyMap<string, string>,
): { value: string; end: number } {
  let value = '';
  let end = at;
  for (const character of text.slice(at)) {
    const plain = map.get(character);
    if (plain === undefined) break;
    value += plain;
    end += character.length;
  }
  return { value, end };
}

/** Adds a space if a letter follows `\name`, which would become part of it. */
function spaced(command: string, next: string | undefined): string {
  return /\\[A-Za-z]+$/.test(command) && next !== undefined && /[A-Za-z]/.test(next)
    ? `${command} `
    : command;
}

function inMath(character: string, next: string | undefined): string | null {
  const command = mathCharacters.get(character) ?? mathAlphanumeric(character);
  if (command !== null && command !== undefined) return spaced(command, next);
  const fraction = fractionCharacters.get(character);
  if (fraction) return `\\frac{${fraction[0]}}{${fraction[1]}}`;
  if (character === '°') return '^{\\circ}';
  if (character === '−' || character === '–' || character === '‐') return '-';
  if (character === '—') return '\\text{---}';
  if (character === '\u00a0' || /\p{Zs}/u.test(character)) return ' ';
  const plain = textCharacters.get(character);
  if (plain !== undefined) return plain.startsWith('$') ? plain.replaceAll('$', '') : plain;
  if (character === '’' || character === '‘') return "'";
  if (/[“”„«»‹›‚]/.test(character) || /\p{L}/u.test(character)) return `\\text{${character}}`;
  return null;
}

function inText(character: string): string | null {
  const plain = textCharacters.get(character);
  if (plain !== undefined) return plain;
  if (character === '−') return '$-$';
  const fraction = fractionCharacters.get(character);
  if (fraction) return `$\\frac{${fraction[0]}}{${fraction[1]}}$`;
  const command = mathCharacters.get(character) ?? mathAlphanumeric(character);
  if (command !== null && command !== undefined)
    return /^[A-Za-z0-9]$/.test(command) ? command : `$${command}$`;
  const folded = character.normalize('NFKC');
  if (folded !== character && [...folded].every((one) => isPrintedByDefault(one.codePointAt(0)!))) {
    return escapeLatex(folded);
  }
  return null;
}

const otherScriptRun =
  /[\u037e\u0384-\u03ce\u0400-\u045f\u0490\u0491]+(?:[ ,.;:!?()«»-]+[\u0384-\u03ce\u0400-\u045f\u0490\u0491]+)*/y;

/**
 * The splices that make every character of a body print. `wrapsOtherScripts` puts runs of Greek and Cyrillic
 * into the fallback family; false leaves them, for a document whose main font has them.
 */
export function mapCharacters(text: string, wrapsOtherScripts: boolean): CharacterReport {
  const report: CharacterReport = { splices: [], unprintable: [], otherScriptLetters: 0, letters: 0 };
  if (!/[\u007f-\u{10ffff}]/u.test(text)) {
    report.letters = (text.match(/[A-Za-z]/g) ?? []).length;
    return report;
  }
  const { tokens, spots } = annotate(text);
  const missing = new Set<string>();
  let doneUntil = 0;
  tokens.forEach((token, index) => {
    if (token.kind === 'comment') return;
    const mode = spots[index]!.mode;
    let at = Math.max(token.start, doneUntil);
    while (at < token.end) {
      const character = String.fromCodePoint(text.codePointAt(at)!);
      const code = character.codePointAt(0)!;
      const start = at;
      at += character.length;
      if (/\p{L}/u.test(character)) report.letters++;
      if (code < 0x7f) continue;
      if (token.kind === 'verbatim' || token.kind === 'command' || mode === 'raw') {
        if (!isPrintedByDefault(code) && !isPrintedByOtherScript(code)) missing.add(character);
        continue;
      }
      const next = text[at];
      if (mode === 'math') {
        const up = scriptRun(text, start, superscriptCharacters);
        const down = scriptRun(text, start, subscriptCharacters);
        const run = up.value ? up : down;
        if (run.value) {
          report.splices.push({ start, end: run.end, text: `${up.value ? '^' : '_'}{${run.value}}` });
          at = run.end;
          continue;
        }
        const mapped = inMath(character, next);
        if (mapped !== null) {
          report.splices.push({ start, end: at, text: mapped });
          if (!isPrintedByDefault(code) && mapped.includes(character)) missing.add(character);
        } else missing.add(character);
        continue;
      }
      if (isPrintedByOtherScript(code)) {
        otherScriptRun.lastIndex = start;
        const run = otherScriptRun.exec(text)?.[0] ?? character;
        const letterCount = (run.match(/\p{L}/gu) ?? []).length;
        const symbol = letterCount === 1 ? mathCharacters.get(character) : undefined;
        if (symbol) {
          report.splices.push({ start, end: at, text: `$${symbol}$` });
          continue;
        }
        report.otherScriptLetters += letterCount;
        report.letters += letterCount - 1;
        if (wrapsOtherScripts) {
          report.splices.push({ start, end: start + run.length, text: `{${otherScriptCommand} ${run}}` });
        }
        at = start + run.length;
        doneUntil = at;
        continue;
      }
      if (isPrintedByDefault(code) && !superscriptCharacters.has(character)) continue;
      const up = scriptRun(text, start, superscriptCharacters);
      const down = scriptRun(text, start, subscriptCharacters);
      if (up.value && !isPrintedByDefault(code)) {
        report.splices.push({ start, end: up.end, text: `\\textsuperscript{${up.value}}` });
        at = up.end;
      } else if (down.value) {
        report.splices.push({ start, end: down.end, text: `\\textsubscript{${down.value}}` });
        at = down.end;
      } else if (!isPrintedByDefault(code)) {
        const mapped = inText(character);
        if (mapped === null) missing.add(character);
        else report.splices.push({ start, end: at, text: mapped });
      }
    }
  });
  report.unprintable = [...missing];
  return report;
}

/** The words that a text prints, roughly: its text tokens without commands. To measure what was kept. */
export function plainWords(latex: string): string[] {
  return scanLatex(latex)
    .filter((token) => token.kind === 'text' || token.kind === 'verbatim')
    .flatMap((token) => latex.slice(token.start, token.end).match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** The share of the words of `before` that occur in `after`, counting repetitions; 1 if there are none. */
export function shareOfWords(before: readonly string[], after: string): number {
  const words = before.flatMap(plainWords);
  if (words.length === 0) return 1;
  const left = new Map<string, number>();
  for (const word of plainWords(after)) left.set(word, (left.get(word) ?? 0) + 1);
  let found = 0;
  for (const word of words) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    found++;
  }
  return found / words.length;
}
