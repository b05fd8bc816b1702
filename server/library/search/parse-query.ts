/** Parses a query. */
import { isUnspaced, listWords, normaliseQuery } from '#latex/formula/index.ts';

export interface Term {
  word: string;
  /** Still being typed: words that begin with it match too. */
  isPrefix: boolean;
}

export interface Query {
  /** All of these must occur in a document. */
  terms: Term[];
  /** Phrases: each word is among `terms`, and must match exactly. */
  phrases: string[][];
  /** Normalised tokens of each formula. */
  formulas: string[][];
}

const quoted = /["“”„«»]([^"“”„«»]*)(?:["“”«»]|$)/g;
const dollars = /\$([^$]+)(?:\$|$)/g;
/** A command or scripts: the query is LaTeX, except for leading words. */
const looksLikeFormula = /\\[A-Za-z]|[A-Za-z0-9})\]][\^_][A-Za-z0-9{\\-]/;
const leadingWords = /^(?:\s*[\p{L}\p{M}]{3,}(?=\s))*/u;

/** Longer queries are truncated. */
const maxTerms = 16;

/**
 * Words, `"an exact phrase"`, `$formula$`; LaTeX is a formula even without dollar signs, except for words before it.
 * The last word is a prefix unless something follows it. `formula` is an additional formula, from its own field.
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
  query.terms = query.terms.slice(0, maxTerms);
  return query;
}

function addPhrase(query: Query, words: string[]): void {
  if (words.length > 1) query.phrases.push(words);
  for (const word of words) query.terms.push({ word, isPrefix: false });
}

/** Letter pairs of a script without spaces form a phrase: the letters must follow each other. */
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
