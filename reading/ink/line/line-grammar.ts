/**
 * The grammar of a line: text, and formulas between `\(` and `\)` whose groups are all closed. The tokens are those of
 * `training/drawing/vocabulary.py`: an opener includes its brace (`\frac{`), `}{` starts its second argument, `}` ends it.
 */

/** An open group: what closes it, or what must come first. `words` takes characters only. */
type Group = 'one' | 'first of two' | 'index' | 'words';

/** The state within a line; immutable, shared by readings in the same state. */
export interface LinePlace {
  isMaths: boolean;
  groups: readonly Group[];
  /** The innermost group, or the formula, is still empty. */
  isEmpty: boolean;
  /** Scripts of the preceding sign: a second one of the same kind would be an error. */
  scripts: '' | '^' | '_' | 'both';
  /** For each open group, the scripts that its base has once it closes. */
  after: readonly LinePlace['scripts'][];
}

export const lineStart: LinePlace = { isMaths: false, groups: [], isEmpty: true, scripts: '', after: [] };

/** Deeper than any formula that people write on one line. */
const maxDepth = 8;
const ofTwo = new Set(['\\frac{', '\\binom{', '\\overset{', '\\underset{', '\\stackrel{']);
/** Tokens that only a decoder of two-dimensional formulas could use; never on one line. */
const notOnALine = /^(?:<.*>|\\begin\{.*\}|\\end\{.*\}|\\left.?|\\left\\.|\\right[^a-z].*|&|\\\\)$/;
/** Characters with another meaning in a formula. */
const onlyText = /^[ #$%&@\\^_`~"]$/;

interface Form {
  /** It may stand on a line at all. */
  isAllowed: boolean;
  isCharacter: boolean;
}

const forms = new Map<string, Form>();

/** Remembered: a decoder asks for the same few hundred tokens all the time. */
function formOf(token: string): Form {
  let form = forms.get(token);
  if (!form) {
    const isCharacter = [...token].length === 1 || token === '\\{' || token === '\\}';
    form = { isAllowed: !notOnALine.test(token), isCharacter };
    forms.set(token, form);
  }
  return form;
}

/** The state after a token, or null if the token is not allowed here. */
export function follow(place: LinePlace, token: string): LinePlace | null {
  const { isMaths, groups, isEmpty, scripts } = place;
  const { isAllowed, isCharacter } = formOf(token);
  if (!isAllowed) return null;
  if (!isMaths) {
    if (token === '\\(') return { ...lineStart, isMaths: true };
    return isCharacter && token !== '}' ? place : null;
  }
  if (token === '\\(') return null;
  if (token === '\\)') return groups.length === 0 && !isEmpty ? lineStart : null;
  const open = groups.at(-1);
  if (token === '}' || token === '}{' || token === ']{') {
    if (isEmpty) return null;
    const outer = { ...place, groups: groups.slice(0, -1), after: place.after.slice(0, -1) };
    if (token === '}')
      return open === 'one' || open === 'words' ? { ...outer, scripts: place.after.at(-1)! } : null;
    if (open !== (token === '}{' ? 'first of two' : 'index')) return null;
    return { ...place, groups: [...outer.groups, 'one'], isEmpty: true, scripts: '' };
  }
  if (open === 'words') return isCharacter ? { ...place, isEmpty: false } : null;
  if (token === '^{' || token === '_{') {
    const kind = token === '^{' ? '^' : '_';
    if (scripts === kind || scripts === 'both') return null;
    return enter(place, 'one', scripts === '' ? kind : 'both');
  }
  if (token === '\\sqrt[') return enter(place, 'index', '');
  if (token === '\\text{') return enter(place, 'words', '');
  if (token.endsWith('{') && token !== '\\{')
    return enter(place, ofTwo.has(token) ? 'first of two' : 'one', '');
  if (isCharacter && onlyText.test(token)) return null;
  return isEmpty || scripts !== '' ? { ...place, isEmpty: false, scripts: '' } : place;
}

function enter(place: LinePlace, group: Group, after: LinePlace['scripts']): LinePlace | null {
  if (place.groups.length >= maxDepth) return null;
  return {
    isMaths: true,
    groups: [...place.groups, group],
    isEmpty: true,
    scripts: '',
    after: [...place.after, after],
  };
}

/** The tokens that end the open formula, including empty second arguments. */
export function closing({ isMaths, groups }: LinePlace): string[] {
  if (!isMaths) return [];
  const ends = groups
    .toReversed()
    .flatMap((group) => (group === 'index' ? [']{', '}'] : group === 'first of two' ? ['}{', '}'] : ['}']));
  return [...ends, '\\)'];
}

/** Tokens that relate what is before them to what is after. */
export const relation = /^(?:[=<>]|\\(?:leq?|geq?|neq?|approx|equiv|to|sim|in|subset|Rightarrow|mapsto))$/;
