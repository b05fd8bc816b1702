/** Names in formulas: synonyms, names that may differ, and what affects only the appearance. */

const words = (list: string) => list.trim().split(/\s+/);

/** Commands that are an operator's name; `\operatorname{rank}` and `\mathrm{rank}` also become `op:rank`. */
export const functionNames = new Set(
  words(
    'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp lim limsup liminf sup inf max min ' +
      'det gcd lcm ker dim arg deg hom Pr Re Im injlim projlim argmax argmin rank trace tr sgn span diag',
  ),
);

/** Their limits are optional: `\int e^x` is found in `\int_0^1 e^x`. */
export const limitTakers = new Set([
  ...words(
    '\\int \\iint \\iiint \\oint \\sum \\prod \\coprod \\bigcup \\bigcap \\bigoplus \\bigotimes \\bigvee \\bigwedge \\bigsqcup',
  ),
  ...words('lim limsup liminf sup inf max min argmax argmin det gcd Pr injlim projlim').map(
    (name) => `op:${name}`,
  ),
]);

/** Greek letters are variables; `\pi` is the number. */
export const greekVariables = new Set(
  words(
    'alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa varkappa lambda mu nu xi omicron varpi ' +
      'rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Upsilon Phi Psi Omega ' +
      'ell imath jmath digamma',
  ),
);

/** Command → its token. Commands on one line mean the same. */
export const synonyms: ReadonlyMap<string, string> = new Map(
  `
  \\leq le leq leqslant leqq
  \\geq ge geq geqslant geqq
  not:= ne neq
  \\in in isin
  \\ni ni owns
  not:\\in notin
  \\rightarrow to rightarrow longrightarrow tendsto
  \\leftarrow gets leftarrow longleftarrow
  \\Rightarrow implies Rightarrow Longrightarrow
  \\Leftarrow impliedby Leftarrow Longleftarrow
  \\Leftrightarrow iff Leftrightarrow Longleftrightarrow
  \\leftrightarrow leftrightarrow longleftrightarrow
  \\mapsto mapsto longmapsto
  \\wedge land wedge
  \\vee lor vee
  \\neg lnot neg
  \\emptyset emptyset varnothing O
  \\dots dots ldots cdots dotsc dotsb dotsm dotsi dotso hdots
  \\subset subset
  \\subseteq subseteq subseteqq
  \\supseteq supseteq supseteqq
  \\sim sim thicksim
  \\approx approx thickapprox
  \\propto propto varpropto
  \\setminus setminus smallsetminus backslash
  \\perp perp bot
  \\parallel parallel shortparallel
  \\top top intercal
  \\cdot cdot centerdot
  \\square square Box qedsymbol
  * ast
  ' prime
  | vert lvert rvert mid
  \\| Vert lVert rVert |
  ( lparen
  ) rparen
  [ lbrack
  ] rbrack
  \\{ lbrace {
  \\} rbrace }
  < lt
  > gt
  : colon
  / slash
  $ $
  % %
  # #
  & &
  _ _
  \\hbar hbar hslash
  d dd diff differential differentiald
  \\int int smallint
  \\sum sum
  e exponentiale
  := coloneqq
  bb:R R Reals
  bb:N N Naturals
  bb:Z Z Integers
  bb:Q Q
  bb:C C Complex
  `
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [meaning, ...names] = words(line);
      return names.map((name): [string, string] => [name, meaning!]);
    }),
);

/** Appearance, spaces and equation numbers: left out. */
export const ignoredCommands = new Set([
  ...words(', ; : ! > / \\ @ quad qquad enspace thinspace medspace thickspace negthinspace hfill hfil hskip'),
  ...words('displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits nonumber notag allowbreak'),
  ...words('mathstrut strut relax null par noindent nobreak linebreak newline left right middle'),
  ...words(
    'mathopen mathclose mathbin mathrel mathord mathpunct mathop mathinner mathstrut protect ensuremath',
  ),
  ...words('rm it bf sf tt cal mathversion boldmath unboldmath centering bfseries itshape hline cr qedhere'),
  ...words(
    'big Big bigg Bigg bigl Bigl biggl Biggl bigr Bigr biggr Biggr bigm Bigm biggm Biggm big* lVvert rVvert',
  ),
  ' ',
  '-',
]);

/** Left out with their braced argument. */
export const ignoredWithArgument = new Set(
  words(
    'label tag tag* hspace hspace* vspace vspace* kern mspace phantom hphantom vphantom color eqref ref cref footnote ' +
      'intertext shortintertext raisebox rule cline cmidrule textcolor index marginpar',
  ),
);

/** Commands that change only the appearance of their argument. */
export const transparentCommands = new Set(
  words(
    'boxed mathclap smash fbox overbrace underbrace cancel bcancel xcancel mathstrut substack mathchoice',
  ),
);

/** Alphabets: a letter in one of them is a separate variable. */
export const alphabets: ReadonlyMap<string, string> = new Map([
  ...words('mathbf boldsymbol bm pmb symbf bold').map((name): [string, string] => [name, 'bf']),
  ...words('mathcal mathscr cal').map((name): [string, string] => [name, 'cal']),
  ['mathfrak', 'frak'],
  ['mathsf', 'sf'],
  ['mathtt', 'tt'],
  ['mathit', ''],
]);

/** Words in formulas. */
export const wordCommands = new Set(
  words(
    'text textrm textit textbf textsf texttt textnormal mbox hbox mathrm operatorname operatorname* textup',
  ),
);

/** Accents, each with its token name. */
export const accents: ReadonlyMap<string, string> = new Map([
  ...words('vec overrightarrow').map((name): [string, string] => [name, 'vec']),
  ...words('bar overline').map((name): [string, string] => [name, 'bar']),
  ...words('hat widehat').map((name): [string, string] => [name, 'hat']),
  ...words('tilde widetilde').map((name): [string, string] => [name, 'tilde']),
  ...words('dot ddot dddot underline check breve acute grave mathring').map((name): [string, string] => [
    name,
    name,
  ]),
]);

/** Commands of two arguments, each with its token name. */
export const twoArguments: ReadonlyMap<string, string> = new Map([
  ...words('frac dfrac tfrac cfrac nicefrac sfrac').map((name): [string, string] => [name, 'frac']),
  ...words('binom dbinom tbinom').map((name): [string, string] => [name, 'binom']),
  ['stackrel', 'overset'],
  ['overset', 'overset'],
  ['underset', 'underset'],
]);

/** Delimiters of matrix environments; environments not listed are not matrices. */
export const matrixDelimiters: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['matrix', ['', '']],
  ['smallmatrix', ['', '']],
  ['array', ['', '']],
  ['pmatrix', ['(', ')']],
  ['psmallmatrix', ['(', ')']],
  ['bmatrix', ['[', ']']],
  ['bsmallmatrix', ['[', ']']],
  ['Bmatrix', ['\\{', '\\}']],
  ['vmatrix', ['|', '|']],
  ['Vmatrix', ['\\|', '\\|']],
  ['cases', ['\\{', '']],
  ['dcases', ['\\{', '']],
  ['rcases', ['', '\\}']],
]);
