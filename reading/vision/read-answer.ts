/** Extracts the LaTeX of a page body from a model's answer: the requested shape, similar JSON, fenced or bare LaTeX. */
import { findBody, listPackages, packagesOf } from '#latex/source/read-commands.ts';
import { scanLatex } from '#latex/source/scan.ts';
import type { DoubtfulSpan } from '#shared/api/conversion.ts';
import { PageAnswer } from './prompt.ts';

const emptyAnswer: PageAnswer = {
  turn: null,
  latex: '',
  packages: [],
  title: null,
  author: null,
  date: null,
  language: null,
  drawings: [],
  lines: [],
  notation: [],
  starts_in_mid_sentence: false,
  ends_in_mid_sentence: false,
  is_published_material: false,
};

/**
 * Finds an answer in free text. Servers that ignore the requested shape answer with a code block or plain LaTeX. Null
 * if it contains no LaTeX, e.g. an apology.
 */
export function findAnswer(text: string): PageAnswer | null {
  const trimmed = text.trim();
  const fromJson = parseLoosely(unfence(trimmed, 'json')) ?? parseLoosely(trimmed);
  if (fromJson) return fromJson;
  // broken JSON would print its own braces: better to try again
  if (/^(```json)?\s*\{\s*"/.test(trimmed)) return null;
  const latex = unfence(trimmed, '(?:la)?tex');
  return looksLikeLatex(latex, latex !== trimmed) ? { ...emptyAnswer, latex } : null;
}

function parseLoosely(text: string): PageAnswer | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    try {
      // LaTeX whose backslashes were not doubled: `\\s` is no JSON escape
      value = JSON.parse(
        text.replace(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g, (found) => (found === '\\' ? '\\\\' : found)),
      );
    } catch {
      return null;
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const given = value as Record<string, unknown>;
  const latex = given.latex ?? given.body ?? given.content ?? given.text;
  if (typeof latex !== 'string') return null;
  // keep valid fields and drop invalid ones: an invalid box must not lose the page
  const answer: PageAnswer = { ...emptyAnswer };
  for (const key of Object.keys(emptyAnswer) as (keyof PageAnswer)[]) {
    const field = PageAnswer.shape[key].safeParse(given[key]);
    if (field.success) Object.assign(answer, { [key]: field.data });
  }
  answer.latex = latex;
  return answer;
}

/**
 * Repairs LaTeX that went through JSON with single backslashes: there `\\frac` reads as a form feed and `rac`. Form
 * feeds and backspaces are never intended; tabs, returns and line feeds only if the letters after them complete a
 * known command.
 */
export function repairControlCharacters(latex: string): string {
  return latex
    .replaceAll('\f', '\\f')
    .replaceAll('\u0008', '\\b')
    .replace(/\t(?=(?:ext|heta|imes|au|o|op|frac|ilde|riangle|herefore|abular)(?![a-z]))/g, '\\t')
    .replace(/\r(?=(?:ight|ho|angle|floor|ceil)(?![a-z]))/g, '\\r')
    .replace(/\n(?=(?:abla|otin|ewline|eq|leq|geq|oindent)(?![a-z]))/g, '\\n');
}

function unfence(text: string, language: string): string {
  return (
    new RegExp(`\`\`\`${language}\\s*\\n([\\s\\S]*?)\\n?\`\`\``, 'i').exec(text)?.[1]?.trim() ??
    /^```\s*\n([\s\S]*?)\n?```$/.exec(text)?.[1]?.trim() ??
    text
  );
}

const apology =
  /^(i['’]?m (sorry|unable|not able)|i (can(no|['’])t|cannot|am (sorry|unable|not able))|sorry|as an ai\b|unfortunately)/i;

/** Plain prose is a page too; an apology is not, unless it is fenced as LaTeX. */
function looksLikeLatex(text: string, wasFenced: boolean): boolean {
  return text !== '' && (wasFenced || !apology.test(text));
}

/** If the model has written a whole document, splits it into its body and the packages that its preamble loads. */
export function splitDocument(latex: string): {
  body: string;
  packages: { name: string; options?: string }[];
} {
  const { begin, end } = findBody(scanLatex(latex));
  if (!begin) return { body: latex.trim(), packages: [] };
  return {
    body: latex.slice(begin.end, end?.start).trim(),
    packages: listPackages(latex.slice(0, begin.start)).flatMap((use) => packagesOf(latex, use)),
  };
}

/** Removes `\unsure{…}` from a body and returns the position of each; balanced braces inside are kept. */
export function takeDoubt(marked: string): { body: string; doubtful: DoubtfulSpan[] } {
  const opener = '\\unsure{';
  const doubtful: DoubtfulSpan[] = [];
  const open: { start: number; depth: number }[] = [];
  let body = '';
  let depth = 0;
  for (let i = 0; i < marked.length; i++) {
    if (marked.startsWith(opener, i)) {
      open.push({ start: body.length, depth: depth++ });
      i += opener.length - 1;
      continue;
    }
    const character = marked[i]!;
    if (character === '\\') {
      body += marked.slice(i, i + 2);
      i++;
      continue;
    }
    if (character === '{') depth++;
    if (character === '}') {
      depth--;
      const innermost = open.at(-1);
      if (innermost && innermost.depth === depth) {
        open.pop();
        if (body.length > innermost.start)
          doubtful.push({
            start: innermost.start,
            end: body.length,
            reason: 'The reader marked this reading as unsure.',
          });
        continue;
      }
    }
    body += character;
  }
  for (const match of body.matchAll(/(?:\\text\{)?\[illegible\]\}?/g)) {
    const start = match.index;
    doubtful.push({ start, end: start + match[0].length, confidence: 0, reason: 'This could not be read.' });
  }
  doubtful.sort((a, b) => a.start - b.start || a.end - b.end);
  return { body, doubtful };
}
