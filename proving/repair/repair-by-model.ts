/** Asks the model to repair fragments that the rules could not, and undoes answers that did not help. */

import { plainPage } from '#latex/assemble/page-body.ts';
import { listCommands } from '#latex/source/read-commands.ts';
import { scanLatex } from '#latex/source/scan.ts';
import { shareOfWords } from '#latex/source/unicode.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import { placeErrors } from '../pages/errors-by-page.ts';
import { PageWork } from '../pages/page-work.ts';
import { type Piece, piecesAround } from '../pages/pieces.ts';
import { cleanBody } from './clean-body.ts';
import type { Round } from './repair-by-rule.ts';
import type { Repairer } from './repairer.ts';

/** Most fragments sent per document: each costs a call. */
const maxRequests = 12;
const maxRequestsPerRound = 4;
const contextLength = 600;
/** Least share of a fragment's words that an answer must keep. */
const minShareOfWords = 0.9;

interface Attempt {
  page: PageWork;
  before: ReturnType<PageWork['snapshot']>;
  errorCount: number;
}

export class ModelRepair {
  private readonly repairer: Repairer;
  private readonly signal: AbortSignal;
  private readonly tried = new Set<string>();
  private attempts: Attempt[] = [];

  constructor(repairer: Repairer, signal: AbortSignal) {
    this.repairer = repairer;
    this.signal = signal;
  }

  /** After a compile: restores pages that the last answers did not improve. */
  judge(round: Round): void {
    const attempts = this.attempts;
    this.attempts = [];
    if (attempts.length === 0) return;
    const { placed } = placeErrors(round.document, round.errors, round.pages);
    for (const { page, before, errorCount } of attempts) {
      const now = placed.filter((error) => error.page === page).length;
      if (now >= errorCount) page.restore(before);
    }
  }

  /** True if something was replaced and the document should be compiled again. */
  async repair(round: Round): Promise<boolean> {
    if (this.tried.size >= maxRequests) return false;
    const { placed } = placeErrors(round.document, round.errors, round.pages);
    const jobs: { page: PageWork; piece: Piece; messages: LogMessage[]; errorCount: number }[] = [];
    for (const [page, errors] of Map.groupBy(placed, (error) => error.page)) {
      const first = errors[0]!;
      const piece = piecesAround(page.body, first.start, first.end).find(
        (one) => !/^(formula|term|row|line)$/.test(one.kind) && !page.isVerbatim(one.start, one.end),
      );
      if (!piece) continue;
      const fragment = page.body.slice(piece.start, piece.end);
      if (this.tried.has(fragment) || jobs.length >= maxRequestsPerRound) continue;
      this.tried.add(fragment);
      jobs.push({
        page,
        piece,
        messages: errors.map(({ message }) => message).slice(0, 6),
        errorCount: errors.length,
      });
    }
    const answers = await Promise.all(
      jobs.map(async ({ page, piece, messages }) => {
        try {
          return await this.repairer.repair(
            {
              fragment: page.body.slice(piece.start, piece.end),
              messages,
              context: {
                before: page.body.slice(Math.max(0, piece.start - contextLength), piece.start),
                after: page.body.slice(piece.end, piece.end + contextLength),
                preamble: round.document.latex.slice(0, round.document.bodyStart),
              },
            },
            this.signal,
          );
        } catch (error) {
          // A vendor's failure costs only its repair, not the conversion; the caller handles an abort.
          if (this.signal.aborted) return null;
          if (error instanceof Error) return null;
          throw error;
        }
      }),
    );
    let hasReplaced = false;
    answers.forEach((answer, index) => {
      const { page, piece, errorCount } = jobs[index]!;
      const fragment = page.body.slice(piece.start, piece.end);
      const replacement = answer === null ? null : accept(fragment, answer);
      if (replacement === null) return;
      this.attempts.push({ page, before: page.snapshot(), errorCount });
      page.repair([{ start: piece.start, end: piece.end, text: replacement }]);
      hasReplaced = true;
    });
    return hasReplaced;
  }
}

/** Returns the answer, cleaned like any body; null if it changes nothing or loses words. */
function accept(fragment: string, answer: string): string | null {
  const work = new PageWork({ number: 1, page: plainPage(answer) });
  cleanBody(work, {
    assets: new Set(
      listCommands(scanLatex(answer), /^includegraphics\*?$/).flatMap(({ argument }) =>
        argument ? [answer.slice(argument.start, argument.end)] : [],
      ),
    ),
  });
  const text = work.body.trim();
  if (text === '' || text === fragment.trim()) return null;
  return shareOfWords([fragment], text) >= minShareOfWords ? text : null;
}
