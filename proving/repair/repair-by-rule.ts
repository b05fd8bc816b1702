/** One round of repair by rule: everything that this compile's messages allow, on all pages at once. */

import type { AssembledDocument } from '#latex/assemble/assemble.ts';
import { escapeLatex } from '#latex/source/escape.ts';
import { scanLatex } from '#latex/source/scan.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import type { CompileCounter } from '../pages/compile-counter.ts';
import { placeErrors } from '../pages/errors-by-page.ts';
import type { PageWork } from '../pages/page-work.ts';
import {
  commandNames,
  repairByMessage,
  repairUndefinedCommands,
  repairUndefinedEnvironment,
} from './repair-by-log.ts';
import { repairStructure } from './repair-structure.ts';

export interface PreambleState {
  /** Packages never to load: not installed, or in conflict with another. */
  refusedPackages: Set<string>;
  extraPackages: Set<string>;
  /** Lines of the pages' preambles that fail. */
  refusedPreamble: Set<string>;
  /** Commands that a probe found defined. */
  knownCommands: Set<string>;
}

export interface Round {
  document: AssembledDocument;
  errors: readonly LogMessage[];
  pages: readonly PageWork[];
  state: PreambleState;
  compiler: CompileCounter;
}

/** Passes over one body; each finds less than the previous one. */
const maxPasses = 5;
const probeCpuMs = 15_000;

export async function repairByRule(round: Round): Promise<'repaired' | 'unchanged' | 'cancelled'> {
  const { document, errors, pages, state } = round;
  const { placed, preamble, lost } = placeErrors(document, errors, pages);
  let hasChanged = false;
  const change = (did: boolean) => {
    hasChanged ||= did;
  };

  for (const message of errors) {
    const missing = /File [`']([A-Za-z0-9-]+)\.sty' not found/.exec(message.message);
    if (missing && !state.refusedPackages.has(missing[1]!)) {
      state.refusedPackages.add(missing[1]!);
      change(true);
    }
  }
  // This installation lacks the language: the text matters more than its hyphenation.
  const isLanguage = errors.some(({ message, file }) => /babel/i.test(message) || /babel/.test(file ?? ''));
  if (isLanguage && !state.refusedPackages.has('babel')) {
    state.refusedPackages.add('babel');
    change(true);
  }
  for (const { message, line } of preamble) change(repairPreamble(round, message, line));

  const suspects = new Set(placed.map(({ page }) => page));
  if (lost.length > 0 && suspects.size === 0 && !hasChanged) for (const page of pages) suspects.add(page);
  // A group left open on one page hides the errors of later pages: find those without TeX.
  if (errors.length > 0) for (const page of pages) if (!isBalanced(page.body)) suspects.add(page);
  // Names in messages refer to the text as compiled: repairs that move text come last.
  for (const { message, page, start, end } of placed) {
    const environment = /Environment (\S+) undefined/.exec(message.message)?.[1];
    if (environment) {
      const repair = repairUndefinedEnvironment(page.body, environment);
      for (const name of repair.packages) {
        if (state.refusedPackages.has(name) || state.extraPackages.has(name)) continue;
        state.extraPackages.add(name);
        change(true);
      }
      change(repairPage(page, repair.splices));
      continue;
    }
    if (/Undefined control sequence/.test(message.message)) continue;
    const splices = repairByMessage(page.body, message, start, end);
    if (splices) change(repairPage(page, splices));
  }
  const undefinedPages = new Set(
    placed
      .filter(({ message }) => /Undefined control sequence/.test(message.message))
      .map(({ page }) => page),
  );
  if (undefinedPages.size > 0) {
    const unknown = await probeCommands(round, [...undefinedPages]);
    if (unknown === null) return 'cancelled';
    for (const page of undefinedPages) {
      const repair = repairUndefinedCommands(page.body, unknown);
      for (const name of repair.packages) {
        if (state.refusedPackages.has(name) || state.extraPackages.has(name)) continue;
        state.extraPackages.add(name);
        change(true);
      }
      change(repairPage(page, repair.splices));
    }
  }
  for (const page of suspects) {
    for (let pass = 0; pass < maxPasses; pass++) {
      if (!repairPage(page, repairStructure(page.body))) break;
      change(true);
    }
  }
  return hasChanged ? 'repaired' : 'unchanged';
}

/** True if groups, environments and dollar signs of a body pair up, as far as its tokens show. */
function isBalanced(body: string): boolean {
  const open: string[] = [];
  let dollars = 0;
  for (const token of scanLatex(body)) {
    if (token.kind === 'open') open.push('{');
    else if (token.kind === 'begin') open.push(token.name);
    else if (token.kind === 'close' && open.pop() !== '{') return false;
    else if (token.kind === 'end' && open.pop() !== token.name) return false;
    else if (token.kind === 'dollar') dollars++;
  }
  return open.length === 0 && dollars % 2 === 0;
}

function repairPage(page: PageWork, splices: Parameters<PageWork['splice']>[0]): boolean {
  const outside = splices.filter((splice) => !page.isVerbatim(splice.start, splice.end));
  return page.repair(outside);
}

/** Removes a preamble line that fails: a page's own line, a package, or the markup of a title. */
function repairPreamble({ document, pages, state }: Round, message: LogMessage, line: number): boolean {
  const text = document.latex.split('\n')[line - 1]!.trim();
  const name = /^\\usepackage(?:\[[^\]]*\])?\{([^}]+)\}/.exec(text)?.[1];
  if (name && !['geometry', 'fontspec'].includes(name)) {
    const was = state.refusedPackages.size;
    state.refusedPackages.add(name);
    return state.refusedPackages.size > was;
  }
  if (/^\\(title|author|date)\{/.test(text)) return plainTitles(pages);
  const taken = /Command (\\\S+) already defined|already defined/.exec(message.message);
  let hasFound = false;
  for (const page of pages) {
    const index = page.preamble.findIndex(
      (one) => one.trim() === text || one.trim().split('\n').includes(text),
    );
    if (index < 0) continue;
    hasFound = true;
    const own = page.preamble[index]!;
    if (taken && /^\\newcommand/.test(own)) {
      page.preamble[index] = own.replace('\\newcommand', '\\renewcommand');
      continue;
    }
    if (taken && /^\\DeclareMathOperator/.test(own)) {
      const parts = /^\\DeclareMathOperator(\*?)\s*\{?(\\[A-Za-z]+)\}?\s*\{(.*)\}$/.exec(own);
      if (parts) {
        page.preamble[index] = `\\renewcommand{${parts[2]}}{\\operatorname${parts[1]}{${parts[3]}}}`;
        continue;
      }
    }
    page.preamble.splice(index, 1);
    page.warn('PREAMBLE_LINE_DROPPED', 'A definition on this page did not work and was left out.');
  }
  return hasFound;
}

function plainTitles(pages: readonly PageWork[]): boolean {
  let hasChanged = false;
  for (const page of pages) {
    if (!page.title) continue;
    const plain = (value: string) =>
      escapeLatex(
        value
          .replace(/\\[A-Za-z]+\*?|[{}$\\]/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      );
    const next = {
      title: plain(page.title.title),
      ...(page.title.author ? { author: plain(page.title.author) } : {}),
      ...(page.title.date ? { date: plain(page.title.date) } : {}),
    };
    if (next.title !== page.title.title || next.author !== page.title.author || next.date !== page.title.date)
      hasChanged = true;
    page.title = next;
  }
  return hasChanged;
}

/**
 * Asks TeX which commands of these pages are undefined, with one small document that has the same preamble.
 * Returns null when cancelled.
 */
async function probeCommands(
  { document, state, compiler }: Round,
  pages: readonly PageWork[],
): Promise<Set<string> | null> {
  const names = [...new Set(pages.flatMap((page) => commandNames(page.body)))].filter(
    (name) => !state.knownCommands.has(name),
  );
  const own = new Set(
    pages.flatMap((page) =>
      [...page.body.matchAll(/\\(?:new|renew|provide)command\*?\s*\{?\\([A-Za-z]+)/g)].map(
        (match) => match[1]!,
      ),
    ),
  );
  const probes = names
    .filter((name) => !own.has(name))
    .map((name) => `\\ifcsname ${name}\\endcsname\\else\\PackageWarning{probe}{unknown=${name}=}\\fi`);
  const result = await compiler.compile(
    `${document.latex.slice(0, document.bodyStart)}${probes.join('\n')}\nx\n\\end{document}\n`,
    probeCpuMs,
  );
  if (result.kind === 'cancelled') return null;
  const unknown = new Set<string>();
  if (!('messages' in result)) return unknown;
  for (const message of result.messages) {
    const found = /unknown=([A-Za-z]+)=/.exec(message.message);
    if (found) unknown.add(found[1]!);
  }
  for (const name of names) if (!unknown.has(name)) state.knownCommands.add(name);
  return unknown;
}
