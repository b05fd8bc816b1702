/**
 * The running text of a LaTeX source as a reader meets it: the same reading for a truth and for what was recovered.
 * Macros of the source's own are expanded. Out go comments, formulas but for the words in them (nothing on the page tells
 * \text from text), pictures, numbers, lengths, punctuation, words of one letter; in come the words that LaTeX prints by itself at the head of a theorem, a proof, an algorithm, a bibliography. Floats drift on
 * the page: captions and the cells of tables come after the text, in their order, on both sides.
 */
import { functionNames } from '../math/symbols.ts';
import { bodyOf, displayEnvironments, preambleOf, stripComments } from './displays.ts';
import { type Definitions, expandMacros, readGroup, takeDefinitions } from './macros.ts';
import {
  accentCommands,
  environmentArguments,
  letterCommands,
  silentCommands,
  silentEnvironments,
} from './truth-commands.ts';

/** Lengths without braces, as plain TeX writes them: \vskip 5pt, \hbox to 6in. */
const lengths =
  /\\(?:[vh]skip|kern|[vh]glue|[vh]box\s*(?:to|spread))\s*-?[\d.]+\s*(?:true\s*)?(?:pt|pc|in|cm|mm|em|ex|bp)(?![A-Za-z])/g;

interface Reading {
  text: string[];
  drifting: string[];
  theorems: ReadonlyMap<string, string>;
  /** What LaTeX prints over the bibliography. */
  references: string;
}

/** Words in order, lower case, single spaces between. */
export function proseOf(source: string): string {
  const clean = stripComments(source).replace(lengths, ' ');
  const definitions = takeDefinitions(clean);
  for (const [, name = '', printed = ''] of clean.matchAll(
    /\\DeclareMathOperator\*?\s*\{?\s*\\([A-Za-z]+)\s*\}?\s*\{([^{}]*)\}/g,
  ))
    definitions.commands.set(name, { count: 0, fallback: null, body: `\\operatorname{${printed}}` });
  // LyX defines a proof that prints the usual name
  if (/\\proofname/.test(JSON.stringify(definitions.environments.get('proof') ?? '')))
    definitions.environments.delete('proof');
  const preamble = preambleOf(clean);
  const body = expandMacros(bodyOf(definitions.rest), definitions).replace(
    /\\begin\{algorithm\}[\s\S]*?\\end\{algorithm\}/g,
    // its caption is its head
    (all) => all.replace(/\\caption\b/g, ''),
  );
  const reading: Reading = {
    text: [],
    drifting: [],
    theorems: theoremNames(clean, definitions),
    references: referencesName(clean),
  };
  if (/\\maketitle\b/.test(body)) {
    for (const name of ['title', 'author', 'date']) {
      const given = argumentOf(body, name) ?? argumentOf(preamble, name);
      if (given !== null) read(`${expandMacros(given, definitions)} `, reading);
    }
  }
  read(body.replace(/\\maketitle\b/g, ' '), reading);
  return wordsOf([...reading.text, ' ', ...reading.drifting].join(''));
}

/** Words of two letters and more in a text, as they are compared. */
export function wordsOf(text: string): string {
  return (
    text
      .replace(/[ﬀ-ﬆ]/g, (c) => c.normalize('NFKD'))
      .normalize('NFC')
      .toLowerCase()
      .match(/\p{L}{2,}/gu)
      ?.join(' ') ?? ''
  );
}

function read(source: string, reading: Reading): void {
  let at = 0;
  const { text } = reading;
  while (at < source.length) {
    const c = source[at] as string;
    if (c === '$') at = readDollars(source, at, reading);
    else if (c === '\\') at = readCommand(source, at, reading);
    else {
      if (c !== '{' && c !== '}') text.push(c === '~' || c === '&' ? ' ' : c);
      at += 1;
    }
  }
}

function readDollars(source: string, at: number, reading: Reading): number {
  const fence = source.startsWith('$$', at) ? '$$' : '$';
  const from = at + fence.length;
  for (let i = from; i < source.length; i++) {
    if (source[i] === '\\') i++;
    // dollars in \text are not the formula's
    else if (source[i] === '{') i = (readGroup(source, i)?.end ?? i + 1) - 1;
    else if (source.startsWith(fence, i)) {
      readWordsIn(source.slice(from, i), reading);
      return i + fence.length;
    }
  }
  return source.length;
}

/** The upright words of a formula, with the names of functions: 'max' is the same word in \\text and in \\max. */
function readWordsIn(formula: string, reading: Reading): void {
  reading.text.push(' ');
  let end = 0;
  for (const match of formula.matchAll(uprightWords)) {
    if (match.index < end) continue;
    const group = match[1] === undefined ? readGroup(formula, match.index + match[0].length) : null;
    const words = match[1] ?? group?.inner ?? '';
    if (!isName(words.trim())) read(`${words} `, reading);
    end = group?.end ?? end;
  }
}

/** Units stand behind a thin space. */
const uprightWords = new RegExp(
  `\\\\(${[...functionNames].join('|')})(?![A-Za-z])|(?<!\\\\,)\\\\(?:text(?:rm|bf|it|sf|tt|sc|up|normal)?|mbox|(?:short)?intertext|mathrm|operatorname\\*?)\\s*(?=\\{)`,
  'g',
);

/** What is no word by itself: letters of an index, or of a chemical formula. */
function isName(text: string): boolean {
  return /^\S*$/.test(text) && !/^\p{Lu}?\p{Ll}{2,}[.,;:]?$/u.test(text);
}

function readCommand(source: string, at: number, reading: Reading): number {
  const { text } = reading;
  const name = /^\\([A-Za-z@]+)\*?|^\\([\s\S])/.exec(source.slice(at, at + 80));
  const word = name?.[1];
  let end = at + (name?.[0].length ?? 1);
  if (word === undefined) return readSign(source, end, name?.[2] ?? '', reading);
  if (word === 'begin') return readEnvironment(source, end, reading);
  if (word === 'end') {
    text.push(' ');
    return readGroup(source, end)?.end ?? end;
  }
  const accent = word.length === 1 ? accentCommands[word] : undefined;
  if (accent !== undefined) return readAccent(source, end, accent, text);
  const letter = letterCommands[word];
  if (letter !== undefined) {
    text.push(letter);
    if (/\s/.test(source[end] ?? '') && /[a-zA-Z]$/.test(word)) end += 1;
    return source.startsWith('{}', end) ? end + 2 : end;
  }
  if (word === 'caption' || word === 'captionof') {
    let from = word === 'captionof' ? (readGroup(source, end)?.end ?? end) : end;
    from = readGroup(source, from, '[', ']')?.end ?? from;
    const group = readGroup(source, from);
    if (!group) return end;
    readDrifting(group.inner, reading);
    return group.end;
  }
  const printed = algorithmWords[word];
  if (printed) {
    text.push(printed[0]);
    const condition = printed[1] === undefined ? null : readGroup(source, end);
    if (condition) {
      read(condition.inner, reading);
      text.push(printed[1] ?? '');
      return condition.end;
    }
  }
  const dropped = silentCommands[word];
  if (dropped === undefined) {
    // the short form of a heading, and the like
    if (/^(?:sub)*(?:section|paragraph)$|^chapter$|^part$|^footnote(?:text)?$/.test(word))
      end = readGroup(source, end, '[', ']')?.end ?? end;
    if (!inTheWord.has(word)) text.push(' ');
    return end;
  }
  text.push(' ');
  for (let k = 0; k <= dropped; k++) {
    for (let option = bracket(source, end); option; option = bracket(source, end)) end = option.end;
    const group = k < dropped ? readGroup(source, end) : null;
    if (group) end = group.end;
  }
  return end;
}

/** Commands that change the face of what follows inside a word. */
const inTheWord = new Set([
  'textbf',
  'textit',
  'emph',
  'textsc',
  'texttt',
  'textrm',
  'textsf',
  'underline',
  'text',
  'uline',
  'relax',
]);

function bracket(source: string, at: number): { end: number } | null {
  return source[at] === '[' ? readGroup(source, at, '[', ']') : null;
}

function readSign(source: string, at: number, sign: string, reading: Reading): number {
  const { text } = reading;
  if (sign === '[' || sign === '(') {
    const close = source.indexOf(sign === '[' ? '\\]' : '\\)', at);
    readWordsIn(source.slice(at, close < 0 ? undefined : close), reading);
    return close < 0 ? source.length : close + 2;
  }
  const accent = accentCommands[sign];
  if (accent !== undefined) return readAccent(source, at, accent, text);
  if (sign === '-' || sign === '/') return at;
  text.push(' ');
  if (sign !== '\\') return at;
  const from = source[at] === '*' ? at + 1 : at;
  return bracket(source, from)?.end ?? from;
}

function readAccent(source: string, at: number, mark: string, text: string[]): number {
  const group = readGroup(source, at);
  const base = group
    ? { letter: group.inner.replace(/^\\/, '').trim(), end: group.end }
    : (() => {
        const match = /^\s*\\?([\s\S])/.exec(source.slice(at));
        return { letter: match?.[1] ?? '', end: at + (match?.[0].length ?? 0) };
      })();
  text.push(base.letter.slice(0, 1) + mark + base.letter.slice(1));
  return base.end;
}

function readDrifting(source: string, reading: Reading): void {
  const own: Reading = { ...reading, text: reading.drifting };
  reading.drifting.push(' ');
  read(source, own);
}

function readEnvironment(source: string, at: number, reading: Reading): number {
  const group = readGroup(source, at);
  if (!group) return at;
  const name = group.inner.trim();
  const { text } = reading;
  text.push(' ');
  const close = endOf(source, group.end, name);
  if (silentEnvironments.has(name.replace(/\*$/, ''))) return close.end;
  if (displayEnvironments.has(name.replace(/\*$/, ''))) {
    readWordsIn(source.slice(group.end, close.start), reading);
    return close.end;
  }
  let from = group.end;
  const note = bracket(source, from);
  if (/^(verbatim|lstlisting|Verbatim|minted)\*?$/.test(name)) {
    text.push(source.slice(note?.end ?? from, close.start), ' ');
    return close.end;
  }
  const printed = reading.theorems.get(name);
  if (printed !== undefined) {
    if (name !== 'proof' || !note) text.push(`${printed} `);
    if (note) {
      read(source.slice(from + 1, note.end - 1), reading);
      text.push(' ');
      from = note.end;
    }
    return from;
  }
  if (name === 'thebibliography') text.push(` ${reading.references} `);
  if (name === 'algorithm') text.push(' algorithm ');
  const count = environmentArguments[name] ?? 0;
  from = note?.end ?? from;
  for (let k = 0; k < count; k++) {
    from = bracket(source, from)?.end ?? from;
    from = readGroup(source, from)?.end ?? from;
  }
  if (/^(tabular|longtable|array)/.test(name)) {
    readDrifting(source.slice(from, close.start), reading);
    return close.end;
  }
  return from;
}

function endOf(source: string, at: number, name: string): { start: number; end: number } {
  let depth = 1;
  const pattern = new RegExp(`\\\\(begin|end)\\s*\\{${name.replace(/[*+?.()[\]\\^$|]/g, '\\$&')}\\}`, 'g');
  pattern.lastIndex = at;
  for (let match = pattern.exec(source); match; match = pattern.exec(source)) {
    depth += match[1] === 'begin' ? 1 : -1;
    if (depth === 0) return { start: match.index, end: match.index + match[0].length };
  }
  return { start: source.length, end: source.length };
}

const proofNames: [RegExp, string][] = [
  [/\bn?german\b/, 'Beweis'],
  [/\bfr(?:ench|ancais)/, 'Démonstration'],
  [/\bspanish\b/, 'Demostración'],
  [/\bitalian\b/, 'Dimostrazione'],
  [/\bportuguese\b|\bbrazil(?:ian)?\b/, 'Demonstração'],
  [/\bpolish\b|\bpolski\b/, 'Dowód'],
  [/\bdutch\b/, 'Bewijs'],
  [/\bmagyar\b|\bhungarian\b/, 'Bizonyítás'],
  [/\bswedish\b/, 'Bevis'],
  [/\brussian\b/, 'Доказательство'],
];

/** The words that theorem environments and proofs print at their head. */
function theoremNames(source: string, definitions: Definitions): Map<string, string> {
  const preamble = preambleOf(source);
  const isTranslated = /babel|polyglossia|polski/.test(preamble);
  const proof = isTranslated ? proofNames.find(([pattern]) => pattern.test(preamble))?.[1] : undefined;
  const own = /\\renewcommand\*?\s*\{?\s*\\proofname\s*\}?\s*\{([^{}]*)\}/.exec(source)?.[1];
  const names = new Map([['proof', own ?? proof ?? 'Proof']]);
  for (const [, name = '', printed = ''] of source.matchAll(
    /\\newtheorem\*?\s*\{([^{}]+)\}\s*(?:\[[^\]]*\])?\s*\{((?:[^{}]|\{[^{}]*\})+)\}/g,
  ))
    names.set(name, expandMacros(printed.replace(/\\protect\b/g, ''), definitions));
  return names;
}

const referenceNames: [RegExp, string, string][] = [
  [/\bn?german\b/, 'Literatur', 'Literaturverzeichnis'],
  [/\bfrench(?:b)?\b|\bfrançais\b/, 'Références', 'Bibliographie'],
  [/\bspanish\b/, 'Referencias', 'Bibliografía'],
  [/\bitalian\b/, 'Riferimenti bibliografici', 'Bibliografia'],
  [/\bportuguese\b|\bbrazil(?:ian)?\b/, 'Referências', 'Referências Bibliográficas'],
  [/\bpolish\b/, 'Literatura', 'Bibliografia'],
  [/\brussian\b/, 'Список литературы', 'Литература'],
];

function referencesName(source: string): string {
  const own = /\\renewcommand\*?\{?\\(?:refname|bibname)\}?\s*\{([^{}]*)\}/.exec(source)?.[1];
  if (own !== undefined) return own;
  const isBook = /\\documentclass(?:\[[^\]]*\])?\{(?:book|report|scrbook|scrreprt|memoir)\}/.test(source);
  const preamble = preambleOf(source);
  const found = referenceNames.find(
    ([pattern]) => /babel|polyglossia/.test(preamble) && pattern.test(preamble),
  );
  if (found) return isBook ? found[2] : found[1];
  return isBook ? 'Bibliography' : 'References';
}

/** The words that algpseudocode prints for its commands, and after their condition. */
const algorithmWords: Record<string, [string, string?]> = {
  While: [' while ', ' do '],
  For: [' for ', ' do '],
  ForAll: [' for all ', ' do '],
  If: [' if ', ' then '],
  ElsIf: [' else if ', ' then '],
  Else: [' else '],
  EndWhile: [' end while '],
  EndFor: [' end for '],
  EndIf: [' end if '],
  Require: [' require '],
  Ensure: [' ensure '],
  Return: [' return '],
};

function argumentOf(source: string, command: string): string | null {
  const match = new RegExp(`\\\\${command}\\s*(?:\\[[^\\]]*\\])?\\s*(?=\\{)`).exec(source);
  return match ? (readGroup(source, match.index + match[0].length)?.inner ?? null) : null;
}
