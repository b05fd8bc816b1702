/**
 * All rules about TeX's messages: what each means, what to do, and the edits that may do it. The first rule
 * that matches a message wins.
 */
import type { LogFix } from '#shared/api/errors.ts';
import type { SourceText } from '../../source/source-text.ts';
import { closeBrace, fixBeginBrace, fixLonelyBrace } from '../fixes/braces.ts';
import { escapePercent } from '../fixes/characters.ts';
import { pairDollars } from '../fixes/dollars.ts';
import { pairEnvironments } from '../fixes/environments.ts';
import { endVerbatim } from '../fixes/lists.ts';
import { fixDelimiter } from '../fixes/maths.ts';
import type { Advice, Complaint, Fixer, LogRule, Proposal } from '../rule.ts';
import { charactersRules } from './characters.ts';
import { definitionsRules } from './definitions.ts';
import { enginesRules } from './engines.ts';
import { layoutRules } from './layout.ts';
import { mathsRules } from './maths.ts';
import { packagesRules } from './packages.ts';
import { picturesRules } from './pictures.ts';
import { structureRules } from './structure.ts';
import { tablesRules } from './tables.ts';

const rules: readonly LogRule[] = [
  ...enginesRules,
  ...definitionsRules,
  ...mathsRules,
  ...structureRules,
  ...tablesRules,
  ...packagesRules,
  ...picturesRules,
  ...charactersRules,
  ...layoutRules,
];

/** Tried on every error: TeX often fails far from the cause, an unpaired something in the document. */
const balance: readonly Fixer[] = [
  fixBeginBrace,
  pairEnvironments,
  fixLonelyBrace,
  closeBrace,
  pairDollars,
  fixDelimiter,
  endVerbatim,
];

function findRule(message: string): { rule: LogRule; match: RegExpExecArray } | null {
  for (const rule of rules) {
    const match = rule.pattern.exec(message);
    if (match) return { rule, match };
  }
  return null;
}

/** Plain words for a message; empty if no rule matches it. */
export function advise(complaint: Complaint): Advice {
  const found = findRule(complaint.message);
  return found ? found.rule.advise(found.match, complaint) : {};
}

/** Edits that may make a message disappear, likeliest first. None is certain: each has to be tried. */
export function proposeFixes(
  complaint: Complaint,
  source: SourceText,
  { isError }: { isError: boolean },
): LogFix[] {
  const found = findRule(complaint.message);
  const match = found?.match ?? /^/.exec('')!;
  const fixes = new Map<string, LogFix>();
  // first, because what a % commented out must not be added again
  const fixers = isError
    ? [escapePercent, ...(found?.rule.fixes ?? []), ...balance]
    : (found?.rule.fixes ?? []);
  for (const fixer of fixers) {
    const proposed = fixer(complaint, source, match);
    for (const proposal of proposed === null ? [] : 'edits' in proposed ? [proposed] : proposed) {
      const fix = toFix(proposal, source);
      if (fix) fixes.set(JSON.stringify(fix.edits), fixes.get(JSON.stringify(fix.edits)) ?? fix);
    }
  }
  return [...fixes.values()];
}

function toFix({ title, edits }: Proposal, source: SourceText): LogFix | null {
  const inOrder = edits
    .filter(({ from, to, insert }) => source.text.slice(from, to) !== insert)
    .toSorted((a, b) => a.from - b.from || a.to - b.to);
  const isApart = inOrder.every(({ from }, index) => index === 0 || inOrder[index - 1]!.to <= from);
  if (inOrder.length === 0 || !isApart) return null;
  return {
    title,
    edits: inOrder.map(({ from, to, insert }) => ({
      from: source.positionOf(from),
      to: source.positionOf(to),
      insert,
    })),
  };
}
