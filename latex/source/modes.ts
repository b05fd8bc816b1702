/** What commands and environments do to the mode TeX is in. Names of the LaTeX kernel and of common packages. */

export type Mode =
  | 'text'
  | 'math'
  /** Keys, lengths, names, pictures, chemistry: neither text nor mathematics by our rules. */
  | 'raw';

const words = (list: string) => list.trim().split(/\s+/);

/** Display environments that start mathematics from text. */
export const displayEnvironments = new Set(
  words(
    'equation equation* align align* gather gather* multline multline* flalign flalign* alignat alignat* ' +
      'eqnarray eqnarray* displaymath math dmath dmath* xalignat xalignat* IEEEeqnarray IEEEeqnarray*',
  ),
);

/** Environments that live inside mathematics. */
export const innerMathEnvironments = new Set(
  words(
    'aligned alignedat gathered split array matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix cases dcases ' +
      'rcases drcases cases* dcases* matrix* pmatrix* bmatrix* Bmatrix* vmatrix* Vmatrix* subarray multlined psmallmatrix bsmallmatrix',
  ),
);

/** Environments whose `&` and `\\` make columns and rows. */
export const alignmentEnvironments = new Set([
  ...words(
    'tabular tabular* tabularx tabulary longtable supertabular tabbing tikzcd array align align* flalign flalign* ' +
      'alignat alignat* xalignat xalignat* eqnarray eqnarray* tblr longtblr IEEEeqnarray IEEEeqnarray* ltablex',
  ),
  ...innerMathEnvironments,
]);

export const listEnvironments = new Set(
  words(
    'itemize enumerate description itemize* enumerate* description* compactitem compactenum list trivlist tasks',
  ),
);

export const rawEnvironments = new Set(
  words(
    'tikzpicture circuitikz axis semilogxaxis semilogyaxis loglogaxis scope pspicture picture tikzcd forest',
  ),
);

export const tableEnvironments = new Set(words('tabular tabular* tabularx tabulary longtable array'));

/** How many braced arguments follow `\begin{name}`, and their modes. */
export const environmentArguments: Record<string, Mode[]> = {
  tabular: ['raw'],
  'tabular*': ['raw', 'raw'],
  tabularx: ['raw', 'raw'],
  tabulary: ['raw', 'raw'],
  longtable: ['raw'],
  array: ['raw'],
  minipage: ['raw'],
  multicols: ['raw'],
  alignat: ['raw'],
  'alignat*': ['raw'],
  alignedat: ['raw'],
  subarray: ['raw'],
  thebibliography: ['raw'],
  wrapfigure: ['raw', 'raw'],
  subfigure: ['raw'],
  list: ['raw', 'raw'],
  tblr: ['raw'],
  picture: [],
};

const raw: Mode[] = ['raw'];
const text: Mode[] = ['text'];

/** Modes of the braced arguments of commands, where they differ from the mode around them. */
export const commandArguments: Record<string, Mode[]> = Object.fromEntries<Mode[]>([
  ...words(
    'label ref eqref pageref autoref cref Cref nameref vref cite citep citet bibitem includegraphics input include ' +
      'usepackage usetikzlibrary hspace vspace hspace* vspace* rule color pagestyle thispagestyle setcounter ' +
      'addtocounter stepcounter si unit ang num ce cf input bibliography bibliographystyle index usepgfplotslibrary ' +
      'lstset sisetup setlist pgfplotsset tikzset hypersetup graphicspath geometry theoremstyle tikz cmidrule cline ' +
      'RequirePackage documentclass chemfig printcounter value pgfmathsetmacro languagename selectlanguage vphantom*',
  ).map((name): [string, Mode[]] => [name, raw]),
  ...words('SI qty setlength addtolength rule definecolor numrange newcounter colorlet').map(
    (name): [string, Mode[]] => [name, ['raw', 'raw', 'raw']],
  ),
  ...words('SIrange qtyrange').map((name): [string, Mode[]] => [name, ['raw', 'raw', 'raw']]),
  ...words(
    'text textrm textbf textit textsf texttt textnormal textup textsc textsl textmd mbox hbox fbox intertext emph ' +
      'shortintertext underline* footnote caption caption* section section* subsection subsection* subsubsection ' +
      'subsubsection* paragraph paragraph* subparagraph chapter chapter* part part* title author date centerline uline sout',
  ).map((name): [string, Mode[]] => [name, text]),
  ['tag', text],
  ['tag*', text],
  ['href', ['raw', 'text']],
  ['textcolor', ['raw']],
  ['colorbox', ['raw', 'text']],
  ['fcolorbox', ['raw', 'raw', 'text']],
  ['makebox', ['text']],
  ['framebox', ['text']],
  ['parbox', ['raw', 'text']],
  ['raisebox', ['raw', 'text']],
  ['multicolumn', ['raw', 'raw']],
  ['multirow', ['raw', 'raw']],
  ['ensuremath', ['math']],
  ['newcommand', ['raw', 'raw']],
  ['renewcommand', ['raw', 'raw']],
  ['providecommand', ['raw', 'raw']],
  ['newcommand*', ['raw', 'raw']],
  ['DeclareMathOperator', ['raw', 'raw']],
  ['DeclareMathOperator*', ['raw', 'raw']],
  ['newtheorem', ['raw', 'raw']],
  ['newtheorem*', ['raw', 'raw']],
  ['newenvironment', ['raw', 'raw', 'raw']],
  ['resizebox', ['raw', 'raw']],
  ['scalebox', ['raw']],
  ['rotatebox', ['raw']],
  ['adjustbox', ['raw']],
]);

/** Commands that cannot stand inside mathematics: they show that a formula was left open. */
export const structuralCommands = new Set(
  words(
    'section section* subsection subsection* subsubsection subsubsection* paragraph paragraph* subparagraph chapter ' +
      'chapter* part item par newpage clearpage pagebreak maketitle tableofcontents bigskip medskip smallskip caption',
  ),
);

/** Commands of mathematics that take this many arguments. */
export const mathArity: Record<string, number> = {
  frac: 2,
  dfrac: 2,
  tfrac: 2,
  cfrac: 2,
  binom: 2,
  dbinom: 2,
  tbinom: 2,
  sqrt: 1,
  overline: 1,
  underline: 1,
  hat: 1,
  widehat: 1,
  tilde: 1,
  widetilde: 1,
  vec: 1,
  bar: 1,
  dot: 1,
  ddot: 1,
  overrightarrow: 1,
  mathbb: 1,
  mathbf: 1,
  mathrm: 1,
  mathcal: 1,
  mathfrak: 1,
  mathit: 1,
  mathsf: 1,
  boldsymbol: 1,
  overbrace: 1,
  underbrace: 1,
  stackrel: 2,
  overset: 2,
  underset: 2,
  operatorname: 1,
  text: 1,
};

/** Commands that need mathematics around them (Greek, relations, operators, big symbols, accents). */
export const mathOnlyCommands = new Set([
  ...Object.keys(mathArity).filter((name) => name !== 'text' && name !== 'underline'),
  ...words(
    'alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho ' +
      'sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ' +
      'sum prod coprod int iint iiint oint bigcup bigcap bigoplus bigotimes bigvee bigwedge lim limsup liminf sup inf ' +
      'max min det gcd ker dim arg deg exp log ln lg sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh Pr hom ' +
      'leq le geq ge neq ne approx equiv sim simeq cong propto ll gg prec succ subset supset subseteq supseteq in ni ' +
      'notin mid parallel perp models vdash cdot times div pm mp ast star circ bullet oplus otimes cup cap setminus ' +
      'wedge vee land lor lnot neg forall exists nexists nabla partial infty emptyset varnothing ell hbar imath jmath Re Im ' +
      'aleph angle triangle to rightarrow leftarrow Rightarrow Leftarrow Leftrightarrow leftrightarrow mapsto ' +
      'longrightarrow Longrightarrow longmapsto implies iff uparrow downarrow hookrightarrow rightharpoonup rightleftharpoons ' +
      'cdots vdots ddots langle rangle lfloor rfloor lceil rceil lVert rVert lvert rvert Vert prime quad* left right ' +
      'mathop limits nolimits displaystyle textstyle bigl bigr Bigl Bigr biggl biggr big Big mod bmod pmod therefore because ' +
      'square blacksquare Box complement degree* leqslant geqslant lesssim gtrsim top bot surd substack xrightarrow xleftarrow',
  ),
]);
