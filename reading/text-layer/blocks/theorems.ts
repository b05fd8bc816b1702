/** Theorem-like environments as amsthm sets them, found by their heads. */
import type { Line } from '../lines/lines.ts';
import { dropFront, plainText, type Span, trimFront } from '../lines/spans.ts';
import type { ReadState } from '../state.ts';
import { depthOf, levels, withinOption } from './numbering.ts';

/** The kind of a head, in lower case, and its number as printed. */
interface TheoremHead {
  kind: string;
  number: string | null;
}

export interface OpenTheorem {
  /** Commands that set its counter. */
  before: string;
  env: string;
  option: string;
  rest: Span[];
  isItalic: boolean;
  isFinished: boolean;
  endsHere: boolean;
}

const heads: Record<string, string> = {
  theorem: 'theorem', lemma: 'lemma', proposition: 'proposition', corollary: 'corollary', definition: 'definition', remark: 'remark',
  example: 'example', conjecture: 'conjecture', claim: 'claim', exercise: 'exercise', problem: 'problem', notation: 'notation', note: 'note', fact: 'fact', observation: 'observation', question: 'question', axiom: 'axiom', assumption: 'assumption', algorithm: 'algo',
  satz: 'satz', hilfssatz: 'hilfssatz', korollar: 'korollar', bemerkung: 'bemerkung', beispiel: 'beispiel', folgerung: 'folgerung',
  situation: 'situation', construction: 'construction', convention: 'convention', hypothesis: 'hypothesis', property: 'property', result: 'result', warning: 'warning', remarks: 'remarks', examples: 'examples', definitions: 'definitions', conclusion: 'conclusion', criterion: 'criterion', principle: 'principle', postulate: 'postulate', aufgabe: 'aufgabe', vermutung: 'vermutung', annahme: 'annahme', proposición: 'proposicion', definición: 'definicion', lema: 'lema', corolario: 'corolario', ejemplo: 'ejemplo', observación: 'observacion', definizione: 'definizione', corollario: 'corollario', esempio: 'esempio', osservazione: 'osservazione', proposição: 'proposicao', definição: 'definicao', exemplo: 'exemplo', observação: 'observacao',
  théorème: 'theoreme', lemme: 'lemme', corollaire: 'corollaire', définition: 'definitionfr', remarque: 'remarque', exemple: 'exemple', proposizione: 'proposizione', teorema: 'teorema',
}; // biome-ignore format: a table

const headPattern = new RegExp(
  `^(${Object.keys(heads).join('|')})(?:\\s+((?:\\d+|[A-Z](?=\\.\\d))(?:\\.\\d+)*))?\\s*(?:\\(|\\.|:|$|\\s)`,
  'iu',
);

/** The kind and number of a head, for the document's list. */
export function theoremHead(spans: readonly Span[]): TheoremHead | null {
  const first = spans[0];
  if (first?.kind !== 'text' || !(first.style.bold || first.style.italic || first.style.smallCaps))
    return null;
  const text = plainText(spans);
  const match = headPattern.exec(text);
  if (!match) return null;
  if (
    first.style.italic &&
    !first.style.bold &&
    !/^(remark|note|claim|bemerkung|remarque|example|notation)/i.test(text)
  )
    return null;
  if (
    !/^[^.]*[.:)]/.test(text.slice(0, 120)) ||
    !new RegExp(`^${match[1]}(\\s+(?:[A-Z]\\.)?[\\d.]+)?\\.?\\s*($|[(.:])`, 'iu').test(first.text.trim())
  )
    return null;
  return { kind: (match[1] as string).toLowerCase(), number: match[2] ?? null };
}

export function openTheorem(spans: Span[], line: Line, state: ReadState): OpenTheorem | null {
  const proof = openProof(spans, line);
  if (proof) return proof;
  const head = theoremHead(spans);
  if (!head) return null;
  const env = heads[head.kind] as string;
  const first = spans[0] as Extract<Span, { kind: 'text' }>;
  // a remark's number is upright beside its slanted name
  const whole = leadingText(spans);
  let rest = dropFront(spans, (/^\S+(?:\s+(?:\d+|[A-Z](?=\.\d))(?:\.\d+)*)?/.exec(whole)?.[0] ?? '').length);
  let option = '';
  const text = leadingText(rest);
  const named = /^\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*/.exec(text);
  if (named) {
    option = `[{${(named[1] as string).replace(/[\\{}$&#%_^~]/g, '')}}]`;
    rest = dropFront(rest, named[0].length);
  }
  const stop = /^\s*[.:]?\s*/.exec(leadingText(rest))?.[0] ?? '';
  rest = dropFront(rest, stop.length);
  // a theorem's head does not end with a colon and nothing after it
  if (stop.includes(':') && plainText(rest) === '' && rest.length === 0) return null;
  const isStarred = head.number === null;
  const isDefinition = isUpright(rest);
  const isStrong = first.style.bold || first.style.smallCaps;
  const style = isStrong ? (isDefinition ? 'definition' : 'plain') : 'remark';
  const counter = declare(env, head.kind, isStarred, style, state);
  return {
    before: head.number === null ? '' : counterBefore(counter, head.kind, head.number, state),
    env: isStarred ? `${env}*` : env,
    option: option.replace(/^\[\{([^[\]]*)\}\]$/, '[$1]'),
    rest: trimFront(rest),
    isItalic: style === 'plain',
    isFinished: false,
    endsHere: false,
  };
}

function leadingText(spans: readonly Span[]): string {
  let out = '';
  for (const span of spans) {
    if (span.kind !== 'text') break;
    out += span.text;
  }
  return out;
}

function isUpright(spans: readonly Span[]): boolean {
  const texts = spans.filter(
    (s): s is Extract<Span, { kind: 'text' }> => s.kind === 'text' && /\p{L}{2}/u.test(s.text),
  );
  if (texts.length === 0) return false;
  const italic = texts.filter((s) => s.style.italic).reduce((n, s) => n + s.text.length, 0);
  const upright = texts.filter((s) => !s.style.italic).reduce((n, s) => n + s.text.length, 0);
  return upright > italic;
}

/** Declares an environment as the whole document numbers it; returns the counter's name. */
function declare(env: string, kind: string, isStarred: boolean, style: string, state: ReadState): string {
  state.packages.add('amsthm');
  const name = kind.charAt(0).toUpperCase() + kind.slice(1);
  const define = (line: string) => {
    if (!state.preamble.includes(line)) state.preamble.push(`\\theoremstyle{${style}}`, line);
  };
  if (isStarred) {
    define(`\\newtheorem*{${env}*}{${name}}`);
    return env;
  }
  const group = state.numbering.groupOf(kind);
  const within = withinOption(group);
  if (!group || group.names.length < 2) {
    define(`\\newtheorem{${env}}{${name}}${within}`);
    return env;
  }
  const first = heads[group.names[0] as string] as string;
  const counter = `shared${first}`;
  define(`\\newtheorem{${counter}}{Theorem}${within}`);
  define(`\\newtheorem{${env}}[${counter}]{${name}}`);
  return counter;
}

/** What must precede a theorem so that it gets the number that is printed. */
function counterBefore(counter: string, kind: string, number: string, state: ReadState): string {
  const { numbering } = state;
  const group = numbering.groupOf(kind);
  let out = '';
  if (group && depthOf(number) === group.depth) {
    const parts = number.split('.');
    const value = Number(parts.pop());
    let expected = numbering.next(kind);
    if (parts.length > 0 && !numbering.isUnder(number) && parts.every((part) => /^\d+$/.test(part))) {
      // no heading of this number was read: it is counted without one
      out += parts.map((part, k) => `\\setcounter{${levels[k]}}{${part}}\n`).join('');
      numbering.pass({ kind: 'heading', number: parts.join('.') });
      state.lastNumber = parts.join('.');
      expected = null;
    }
    if (expected !== number) out += `\\setcounter{${counter}}{${value - 1}}\n`;
  }
  numbering.pass({ kind: 'theorem', name: kind, number });
  return out;
}

function openProof(spans: Span[], line: Line): OpenTheorem | null {
  const first = spans[0];
  if (first?.kind !== 'text' || !(first.style.italic || first.style.smallCaps) || first.style.bold)
    return null;
  const match =
    /^(Proof|Beweis|Preuve|Démonstration|Dimostrazione|Demostración|Demonstração|Prova|Dowód|Bewijs|Důkaz|Доказательство)\.\s*/.exec(
      first.text.trim() + (first.text.endsWith(' ') ? ' ' : ''),
    );
  if (!match) return null;
  void line;
  return {
    before: '',
    env: 'proof',
    option: match[1] === 'Proof' ? '' : `[${match[1]}]`,
    rest: trimFront(dropFront(spans, match[0].trimEnd().length)),
    isItalic: false,
    isFinished: false,
    endsHere: false,
  };
}

/** Whether the environment ends before this line (which begins a paragraph). */
export function closeTheorem(
  open: OpenTheorem,
  spans: readonly Span[],
  line: Line,
  last: Line | null,
): boolean {
  if (open.isFinished) return true;
  if (open.env === 'proof') return false;
  if (open.isItalic) return isUpright(spans);
  return last === null || line.y0 - last.y1 > 0.5 * line.size;
}
