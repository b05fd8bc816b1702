/** What a person typed, as what is looked for. */
import { isUnspaced, listWords, normaliseQuery } from '#latex/formula/index.ts';

export interface Term {
  word: string;
  /** Still being typed: words that begin so are meant too. */
  isPrefix: boolean;
}

export interface Query {
  /** All of them have to be in a document. */
  terms: Term[];
  /** Words that follow each other; each is among `terms`, and meant exactly. */
  phrases: string[][];
  /** Normalised tokens of each formula. */
  formulas: string[][];
}

const quoted = /["“”„«»]([^"“”„«»]*)(?:["“”«»]|$)/g;
const dollars = /\$([^$]+)(?:\$|$)/g;
/** A command, or scripts: the query is LaTeX, but for the words it begins with. */
const looksLikeFormula = /\\[A-Za-z]|[A-Za-z0-9})\]][\^_][A-Za-z0-9{\\-]/;
const leadingWords = /^(?:\s*[\p{L}\p{M}]{3,}(?=\s))*/u;

/** Longer queries are cut here. */
const mostTerms = 16;

/**
 * Words, `"words in a row"`, `$formula$`; what looks like LaTeX is a formula without dollars
 * too, but for the words before it. The last word is a
 * prefix unless something follows it. `formula` is one more formula, from a field of its own.
 */
export function parseQuery(text: string, formula = ''): Query {
  const query: Query = { terms: [], phrases: [], formulas: [] };
  const addFormula = (source: string) => {
    const tokens = normaliseQuery(source);
    if (tokens.length > 0) query.formulas.push(tokens);
  };
  if (formula.trim()) addFormula(formula);
  let rest = text.replace(dollars, (_, source: string) => {
    addFormula(source);
    return ' ';
  });
  if (rest === text && looksLikeFormula.test(text)) {
    const [words] = leadingWords.exec(text)!;
    addFormula(text.slice(words.length));
    rest = `${words} `;
  }
  rest = rest.replace(quoted, (_, phrase: string) => {
    addPhrase(
      query,
      listWords(phrase).map(({ word }) => word),
    );
    return ' ';
  });
  addWords(query, rest);
  query.terms = query.terms.slice(0, mostTerms);
  return query;
}

function addPhrase(query: Query, words: string[]): void {
  if (words.length > 1) query.phrases.push(words);
  for (const word of words) query.terms.push({ word, isPrefix: false });
}

/** A run of pairs of a script without spaces is a phrase: its letters follow each other. */
function addWords(query: Query, text: string): void {
  const words = listWords(text);
  for (let i = 0; i < words.length; i++) {
    const { word, end } = words[i]!;
    if (isUnspaced(word)) {
      const run = [word];
      while (words[i + 1] && words[i + 1]!.start < words[i]!.end) run.push(words[++i]!.word);
      if (run.length > 1) addPhrase(query, run);
      else query.terms.push({ word, isPrefix: [...word].length === 1 });
    } else query.terms.push({ word, isPrefix: i === words.length - 1 && end === text.length });
  }
}
