/**
 * Normalises a formula's LaTeX by removing what does not change its meaning: spaces of any width, \left, \right
 * and sizes of delimiters, \displaystyle, sizes of fractions, braces around one sign, alignment marks and the
 * environment's name, and alternative names of one sign (\leq and \le, \to and \rightarrow, three dots high or
 * low, \text and \mathrm and \operatorname). Two formulas are the same if their results are equal.
 */
const names: Record<string, string> = {
  leq: 'le', geq: 'ge', neq: 'ne', rightarrow: 'to', longrightarrow: 'to', dfrac: 'frac', tfrac: 'frac', cfrac: 'frac',
  dbinom: 'binom', tbinom: 'binom', cdots: 'ldots', dots: 'ldots', dotsb: 'ldots', dotsc: 'ldots', text: 'mathrm',
  operatorname: 'mathrm', textrm: 'mathrm', mbox: 'mathrm', mid: '|', vert: '|', lvert: '|', rvert: '|', implies: 'Rightarrow',
  Longrightarrow: 'Rightarrow', iff: 'Leftrightarrow', Longleftrightarrow: 'Leftrightarrow', colon: ':', lbrace: '{', rbrace: '}',
  varnothing: 'emptyset', land: 'wedge', lor: 'vee', overline: 'bar', widehat: 'hat', widetilde: 'tilde', ast: '*',
}; // biome-ignore format: a table
const nothing =
  /^\\(?:[,;:! ]|quad|qquad|left|right|[bB]igg?[lrm]?|displaystyle|textstyle|limits|nolimits|notag|nonumber|thinspace|hspace|mathstrut)$/;

export function normalFormula(latex: string): string {
  const plain = latex
    .replace(
      /\\(?:begin|end)\{(?:equation|align|gather|multline|aligned|gathered|split|displaymath|eqnarray)\*?\}/g,
      ' ',
    )
    .replace(/\\(?:tag|label)\*?\{[^{}]*\}/g, ' ')
    .replace(/\\\\(?:\[[^\]]*\])?/g, ' ')
    .replace(/(?<!\\)\$|\\[[\]()]|(?<!\\)&|~/g, ' ');
  const tokens = (plain.match(/\\[A-Za-z]+\*?|\\.|\S/gu) ?? [])
    .filter((token) => !nothing.test(token))
    .map((token) => {
      const name = names[token.replace(/^\\|\*$/g, '')];
      return token.startsWith('\\') && name ? (/^\w/.test(name) ? `\\${name}` : name) : token;
    });
  // a script or an argument of one sign needs no braces
  const bare: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const isOne = tokens[at] === '{' && tokens[at + 2] === '}' && !/^[{}]$/.test(tokens[at + 1]!);
    if (isOne) {
      bare.push(tokens[at + 1]!);
      at += 2;
    } else bare.push(tokens[at]!);
  }
  return bare
    .join(' ')
    .replace(/' /g, "' ")
    .replace(/\^ \\prime/g, "'")
    .replace(/[.,]$/, '')
    .trim();
}
