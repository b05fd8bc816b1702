/** The macros that a source defines for itself, and their expansion; enough for measuring, not TeX. */

interface Macro {
  /** Number of arguments in braces or single tokens. */
  count: number;
  /** Value of the first argument when it is optional. */
  fallback: string | null;
  body: string;
}

export interface Definitions {
  commands: Map<string, Macro>;
  environments: Map<string, { macro: Macro; end: string }>;
  /** The source without the definitions. */
  rest: string;
  /** The definitions as they are written. */
  taken: string[];
}

/** Most characters that expansion may make of a source, as a multiple of its length. */
const growth = 20;

/** The group in braces at `at` (spaces before it allowed): what is inside, and the place after it. Null when there is none. */
export function readGroup(
  source: string,
  at: number,
  open = '{',
  close = '}',
): { inner: string; end: number } | null {
  let from = at;
  while (/\s/.test(source[from] ?? '')) from++;
  if (source[from] !== open) return null;
  let depth = 0;
  let braces = 0;
  for (let i = from; i < source.length; i++) {
    const c = source[i] as string;
    if (c === '\\') {
      i++;
      continue;
    }
    if (open !== '{' && c === '{') braces++;
    if (open !== '{' && c === '}') braces--;
    if (c === open && braces === 0) depth++;
    if (c === close && braces === 0) depth--;
    if (depth === 0) return { inner: source.slice(from + 1, i), end: i + 1 };
  }
  return null;
}

/** Takes \newcommand, \def without delimiters, \newenvironment out of a source (comments already gone). */
export function takeDefinitions(source: string): Definitions {
  const commands = new Map<string, Macro>();
  const environments: Definitions['environments'] = new Map();
  let rest = '';
  let from = 0;
  const taken: string[] = [];
  const pattern =
    /\\(?:(?:re|provide)?newcommand|renewcommand|providecommand|DeclareRobustCommand)\*?\s*(?:\{\s*\\([A-Za-z@]+)\s*\}|\\([A-Za-z@]+))|\\[gex]?def\s*\\([A-Za-z@]+)((?:#\d)*)\s*(?=\{)|\\(?:re)?newenvironment\*?\s*\{([^{}]+)\}/g;
  for (let match = pattern.exec(source); match; match = pattern.exec(source)) {
    let at = match.index + match[0].length;
    const isDef = match[3] !== undefined;
    const [count, fallback] = [isDef ? (match[4] ?? '').length / 2 : 0, null as string | null];
    const macro: Macro = { count, fallback, body: '' };
    if (!isDef) {
      const number = readGroup(source, at, '[', ']');
      if (number) {
        macro.count = Number(number.inner) || 0;
        at = number.end;
        const first = readGroup(source, at, '[', ']');
        if (first) {
          macro.fallback = first.inner;
          at = first.end;
        }
      }
    }
    const body = readGroup(source, at);
    if (!body) continue;
    macro.body = body.inner;
    at = body.end;
    if (match[5] !== undefined) {
      const end = readGroup(source, at);
      if (!end) continue;
      at = end.end;
      environments.set(match[5], { macro, end: end.inner });
    } else commands.set((match[1] ?? match[2] ?? match[3]) as string, macro);
    rest += source.slice(from, match.index);
    taken.push(source.slice(match.index, at));
    from = at;
    pattern.lastIndex = at;
  }
  return { commands, environments, rest: rest + source.slice(from), taken };
}

/** Expands the macros of `definitions` for which `isWanted` holds, until none is left. */
export function expandMacros(
  source: string,
  { commands, environments }: Definitions,
  isWanted: (body: string) => boolean = () => true,
): string {
  const limit = source.length * growth + 10_000;
  let text = source;
  for (let round = 0; round < 12; round++) {
    let out = '';
    let from = 0;
    let hasChanged = false;
    const pattern = /\\(begin|end)\s*\{([^{}]+)\}|\\([A-Za-z@]+)/g;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const environment = match[2] === undefined ? undefined : environments.get(match[2]);
      const macro = match[3] === undefined ? environment?.macro : commands.get(match[3]);
      if (!macro || !isWanted(macro.body + (environment?.end ?? '')) || macro.body.includes(match[0]))
        continue;
      let at = match.index + match[0].length;
      let made = environment && match[1] === 'end' ? environment.end : macro.body;
      if (match[1] !== 'end') {
        const [values, end] = readArguments(text, at, macro);
        at = end;
        made = made.replace(/#(\d)/g, (_, n: string) => values[Number(n) - 1] ?? '');
        // A control word eats the blanks after it.
        if (macro.count === 0 && match[3] !== undefined) while (/[ \t]/.test(text[at] ?? '')) at++;
      }
      out += text.slice(from, match.index) + made + (match[3] === undefined ? '' : '{}');
      from = at;
      pattern.lastIndex = at;
      hasChanged = true;
      if (out.length > limit) return text;
    }
    text = out + text.slice(from);
    if (!hasChanged) break;
  }
  return text;
}

function readArguments(text: string, start: number, macro: Macro): [string[], number] {
  const values: string[] = [];
  let at = start;
  for (let i = 0; i < macro.count; i++) {
    if (i === 0 && macro.fallback !== null) {
      const option = readGroup(text, at, '[', ']');
      values.push(option?.inner ?? macro.fallback);
      at = option?.end ?? at;
      continue;
    }
    const group = readGroup(text, at);
    if (group) {
      values.push(group.inner);
      at = group.end;
      continue;
    }
    const token = /^\s*(\\[A-Za-z]+|\\.|\S)/.exec(text.slice(at, at + 60));
    values.push(token?.[1] ?? '');
    at += token?.[0].length ?? 0;
  }
  return [values, at];
}
