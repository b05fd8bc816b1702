/**
 * Turns pages into a document that has compiled, exactly as returned, without an error. What fails is repaired by rule,
 * then by the model, then isolated: the smallest failing fragment is kept as typewriter text. Each round is one compile
 * of the whole document; all its errors are repaired at once, mapped from TeX's lines to pages and their fragments.
 */

import { type AssembledDocument, assembleDocument } from '#latex/assemble/assemble.ts';
import type { NumberedPage, SourcePiece } from '#latex/assemble/page-body.ts';
import type { DoubtfulSpan } from '#shared/api/conversion.ts';
import {
  type ErrorCode,
  type ErrorObject,
  errorCatalogue,
  type LogMessage,
  type Warning,
} from '#shared/api/errors.ts';
import type { Asset, CompileResult, Typesetter } from '#typesetting/index.ts';
import { isolateByTrial, isolateLoopingPieces } from './isolate/bisect.ts';
import { isolateErrors, isolateWholePage } from './isolate/isolate.ts';
import { CompileCounter } from './pages/compile-counter.ts';
import { PageWork } from './pages/page-work.ts';
import { cleanBody } from './repair/clean-body.ts';
import { ModelRepair } from './repair/repair-by-model.ts';
import { type PreambleState, type Round, repairByRule } from './repair/repair-by-rule.ts';
import type { Repairer } from './repair/repairer.ts';

export interface ProveOptions {
  /** In document order. Pages that failed to be read are left out. */
  pages: readonly NumberedPage[];
  /** Figures that the bodies include. */
  assets: Asset[];
  typesetter: Typesetter;
  /** The typesetter's queue is fair between owners. */
  owner: string;
  /** Called when no rule helps any more. */
  repairer?: Repairer;
  signal: AbortSignal;
  /** CPU time of a compile, for a document of one page; longer ones get more. Default 15 000. */
  compileCpuMs?: number;
  onProgress?: (progress: { compileCount: number; errorCount: number }) => void;
}

type FailureReason = 'no-pages' | 'every-page-failed' | 'typesetter-refused' | 'timed-out';

export type Proof =
  | {
      kind: 'proved';
      latex: string;
      pdf: Uint8Array;
      /** Pages of the PDF. */
      pageCount: number;
      warnings: Warning[];
      /** Which range of `latex` came from which page. */
      sourceMap: SourcePiece[];
      /** Offsets into `latex`. */
      doubtful: (DoubtfulSpan & { page: number })[];
      /** Where on their pages the ranges of `latex` were read, by its offsets. */
      places: AssembledDocument['places'];
      /** Page number → share of its characters kept as verbatim text, 0 … 1/3. */
      verbatimShare: Record<number, number>;
      /** Pages left out: more than a third of each would have been verbatim. */
      failedPages: number[];
      compileCount: number;
    }
  | {
      kind: 'failed';
      reason: FailureReason;
      /** For a person. */
      message: string;
      /** The catalogue's error for it. */
      error: ErrorObject;
      warnings: Warning[];
      failedPages: number[];
      compileCount: number;
      retryAfterSeconds?: number;
    }
  | { kind: 'cancelled' };

/** A page fails if a larger share of it would be verbatim. */
export const maxVerbatimShare = 1 / 3;
/** CPU time for one compile of the document: thirty times a page's, plus 0.6 s a page (about 0.1 s was measured). */
const baseCpuMs = 15_000;
const pageCpuMs = 600;
/** Rounds by rule before fragments are isolated; each repairs every error it can see. */
const maxRuleRounds = 4;
const maxRounds = 24;

/** @throws WorkStarved */
export async function proveDocument(options: ProveOptions): Promise<Proof> {
  const compiler = new CompileCounter(options);
  const cpuMs = (count: number) => (options.compileCpuMs ?? baseCpuMs) + (count - 1) * pageCpuMs;
  const assetNames = new Set(options.assets.map((asset) => asset.name));
  const works = options.pages.map((page) => {
    const work = new PageWork(page);
    cleanBody(work, { assets: assetNames });
    work.begin();
    return work;
  });
  const state: PreambleState = {
    refusedPackages: new Set(),
    extraPackages: new Set(),
    refusedPreamble: new Set(),
    knownCommands: new Set(),
  };
  const failedPages: number[] = [];
  const model = options.repairer ? new ModelRepair(options.repairer, options.signal) : null;
  let alive = works;
  let ruleRounds = 0;
  let patience = 1;

  const failure = (reason: FailureReason, message: string, retryAfterSeconds?: number): Proof => {
    const warnings = works.flatMap((work) => [...work.original.warnings, ...work.warnings]);
    return {
      kind: 'failed',
      reason,
      message,
      error: toError(reason, message, warnings, retryAfterSeconds !== undefined),
      warnings,
      failedPages: [...failedPages].sort((a, b) => a - b),
      compileCount: compiler.count,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
  };
  const proved = (
    document: AssembledDocument,
    { pdf, pageCount }: Extract<CompileResult, { kind: 'compiled' }>,
  ): Proof => ({
    kind: 'proved',
    latex: document.latex,
    pdf,
    pageCount,
    warnings: [
      ...works.flatMap((work) => [...work.original.warnings, ...work.warnings]),
      ...document.warnings,
    ],
    sourceMap: document.sourceMap,
    doubtful: document.doubtful,
    places: document.places,
    verbatimShare: Object.fromEntries(alive.map((work) => [work.number, work.verbatimShare])),
    failedPages: [...failedPages].sort((a, b) => a - b),
    compileCount: compiler.count,
  });
  const assemble = (pages: readonly PageWork[]): AssembledDocument =>
    assembleDocument(
      pages.map((work) => work.toPage()),
      { ...state, extraPackages: [...state.extraPackages] },
    );
  const dropFailed = () => {
    for (const work of alive) {
      if (work.verbatimShare <= maxVerbatimShare) continue;
      failedPages.push(work.number);
      // Warnings about earlier repairs of it no longer matter.
      work.warnings.length = 0;
      work.warn(
        'PAGE_FAILED',
        `Page ${work.number} could not be typeset: more than a third of it has errors.`,
      );
    }
    alive = alive.filter((work) => !failedPages.includes(work.number));
  };

  if (alive.length === 0) return failure('no-pages', 'There is no page to typeset.');
  for (let round = 0; round < maxRounds; round++) {
    dropFailed();
    if (alive.length === 0)
      return failure('every-page-failed', 'No page could be turned into LaTeX that compiles.');
    const document = assemble(alive);
    const result = await compiler.compile(document.latex, patience * cpuMs(alive.length));
    const errors = 'messages' in result ? result.messages.filter((message) => message.level === 'error') : [];
    options.onProgress?.({ compileCount: compiler.count, errorCount: errors.length });
    switch (result.kind) {
      case 'cancelled':
        return { kind: 'cancelled' };
      case 'refused':
        return failure('typesetter-refused', result.reason, result.retryAfterSeconds);
      case 'compiled':
        return proved(document, result);
      case 'timed-out': {
        const found = await isolateLoopingPieces(alive, assemble, compiler);
        if (found === 'cancelled') return { kind: 'cancelled' };
        if (found === 'none') {
          // Nothing loops: the document is long. Try once more with more time.
          if (patience > 1) return failure('timed-out', 'Typesetting took longer than its limit.');
          patience = 4;
        }
        break;
      }
      case 'failed': {
        const current: Round = { document, errors, pages: alive, state, compiler };
        model?.judge(current);
        if (ruleRounds < maxRuleRounds) {
          ruleRounds++;
          const outcome = await repairByRule(current);
          if (outcome === 'cancelled') return { kind: 'cancelled' };
          if (outcome === 'repaired') break;
        }
        if (model && (await model.repair(current))) break;
        if (options.signal.aborted) return { kind: 'cancelled' };
        if (await isolateErrors(current, assemble)) break;
        const tried = await isolateByTrial(alive, assemble, compiler);
        if (tried === 'cancelled') return { kind: 'cancelled' };
        if (tried === 'none') return await proveSoundPages();
        break;
      }
    }
  }
  return await proveSoundPages();

  /** The last resort: drops one page after another, first the one that TeX names, until the rest compiles. */
  async function proveSoundPages(): Promise<Proof> {
    for (;;) {
      dropFailed();
      if (alive.length === 0)
        return failure('every-page-failed', 'No page could be turned into LaTeX that compiles.');
      const document = assemble(alive);
      const result = await compiler.compile(document.latex, cpuMs(alive.length));
      if (result.kind === 'cancelled') return { kind: 'cancelled' };
      if (result.kind === 'compiled') {
        return proved(document, result);
      }
      if (result.kind === 'refused') {
        return failure('typesetter-refused', result.reason, result.retryAfterSeconds);
      }
      isolateWholePage(blamed(document, result.messages) ?? alive[alive.length - 1]!);
    }
  }

  function blamed(document: AssembledDocument, messages: readonly LogMessage[]): PageWork | null {
    const line = messages.find((message) => message.level === 'error' && message.line !== null)?.line;
    if (!line) return null;
    const offset =
      document.latex
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + 1;
    const place = document.locate(offset);
    return alive.find((work) => work.number === place?.page) ?? null;
  }
}

/** Returns the catalogue's error for each failure. */
function toError(reason: FailureReason, message: string, warnings: Warning[], isBusy: boolean): ErrorObject {
  const codes: Record<FailureReason, ErrorCode> = {
    'no-pages': 'GENERATION_FAILED',
    'every-page-failed': 'GENERATION_FAILED',
    'typesetter-refused': isBusy ? 'BUSY' : 'GENERATION_FAILED',
    'timed-out': 'COMPILATION_TIMEOUT',
  };
  const code = codes[reason];
  return {
    code,
    error: errorCatalogue[code].text ?? message,
    source: 'server',
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}
