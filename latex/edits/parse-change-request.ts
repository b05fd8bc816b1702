/**
 * Parses a change request in English. The grammar is deliberately narrow: every clause must match a published edit to
 * the last word, or the whole request is refused. A wrong edit is worse than none.
 */
import { type ClauseRule, clauseRules } from './clause-rules.ts';
import type { EditPlan, ExactEdit, Refusal } from './exact-edit.ts';

const politeStart =
  /^(?:(?:please|kindly|hi|hello|hey|ok|okay|so|now|also|then|and|first|next|finally)[,:]?\s+|(?:can|could|would|will) you (?:please )?|i(?:'d| would) like (?:you )?to |i want (?:you )?to |i need you to |let's |you should )/i;
const politeEnd = /(?:[\s,]+(?:please|thanks|thank you|for me|too|as well|cheers))$/i;

/** Verbs that begin a clause: text after "and" is a new clause only if it begins with one. */
const verb =
  "(?:set|change|make|update|rename|use|switch|add|remove|delete|drop|hide|show|replace|number|unnumber|turn|put|insert|call|give|demote|promote|substitute|swap|enable|disable|don't|do not|stop|start|include|format|print)";
const seam = new RegExp(
  `^(?:\\s*(?:[;\\n]|\\.\\s)\\s*(?:(?:and|then|also)[\\s,]+)*|\\s*,?\\s+(?:and|then|and then|and also)\\s+(?=(?:please\\s+)?${verb}\\b)|\\s*,\\s+(?=(?:please\\s+)?${verb}\\b))`,
  'i',
);

/** Quoted text, which is never divided into clauses. */
const quoted = /"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|`[^`\n]*`|(?<=^|[\s(])'[^\n]*?'(?=$|[\s,.;:!?)])/g;

function splitClauses(request: string): string[] {
  const clauses: string[] = [];
  const spans = [...request.matchAll(quoted)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  let start = 0;
  for (let at = 0; at < request.length; at++) {
    const span = spans.find((one) => at >= one.start && at < one.end);
    if (span) {
      at = span.end - 1;
      continue;
    }
    const found = seam.exec(request.slice(at));
    if (!found || found[0].length === 0) continue;
    clauses.push(request.slice(start, at));
    start = at + found[0].length;
    at = start - 1;
  }
  clauses.push(request.slice(start));
  return clauses.map(trimClause).filter((clause) => clause !== '');
}

function trimClause(clause: string): string {
  let text = clause.trim();
  for (let round = 0; round < 6; round++) {
    const before = text;
    text = text
      .replace(politeStart, '')
      .replace(/[\s.!?,;:]+$/, '')
      .replace(politeEnd, '')
      .trim();
    if (text === before) break;
  }
  return text;
}

function parseClause(clause: string): ExactEdit[] | null {
  const readings: ExactEdit[][] = [];
  for (const rule of clauseRules) {
    const match = rule.pattern.exec(clause);
    if (!match) continue;
    const edits = read(rule, match);
    if (edits) readings.push(edits);
  }
  // Two rules read the clause differently: it is ambiguous.
  const distinct = new Set(readings.map((reading) => JSON.stringify(reading)));
  return distinct.size === 1 ? readings[0]! : null;
}

function read(rule: ClauseRule, match: RegExpExecArray): ExactEdit[] | null {
  const edits = rule.read(match.groups ?? {});
  if (edits === null) return null;
  return Array.isArray(edits) ? edits : [edits];
}

const whatCanBeDone =
  'Without an AI model I can set title, author and date, class options, margins, numbering, headings, and replace words given in quotation marks. Nothing was changed.';

/** Returns a plan if every clause of the request is understood, else a refusal that names the one that is not. */
export function parseChangeRequest(feedback: string): EditPlan | Refusal {
  const request = feedback
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[„‟]/g, '“')
    .replace(/[ \t\u00a0]+/g, ' ')
    .trim();
  const clauses = splitClauses(request);
  if (clauses.length === 0) return { kind: 'refusal', message: `The request is empty. ${whatCanBeDone}` };
  const edits: ExactEdit[] = [];
  for (const clause of clauses) {
    const parsed = parseClause(clause);
    if (!parsed) {
      const shown = clause.length > 120 ? `${clause.slice(0, 120)}…` : clause;
      const hint =
        /^(?:replace|change|substitute|swap|delete|remove)\b/i.test(clause) && !/["“«`']/.test(clause)
          ? ' Words to replace must stand in quotation marks.'
          : '';
      return {
        kind: 'refusal',
        message: `This is not an edit I can do exactly: “${shown}”.${hint} ${whatCanBeDone}`,
      };
    }
    edits.push(...parsed);
  }
  return { kind: 'plan', edits };
}
