/**
 * Describes commands and environments of LaTeX and its packages. A new one is one row here; everything that reads LaTeX
 * derives its sets from it. (Which package provides a plain command, and in which order packages load, is in the package
 * table.) Browsers load this too: it stays small.
 *
 * A row: names, `(*)` for a name with and without a star; a colon; roles, then `=` and the modes of the braced
 * arguments (t text, m mathematics, r raw, . the mode around), then `@` and the package. (What a command without
 * arguments prints in text is in `text-commands.ts`.)
 */

export type Mode =
  | 'text'
  | 'math'
  /** Keys, lengths, names, pictures, chemistry: neither text nor mathematics by our rules. */
  | 'raw';

interface Entry {
  name: string;
  roles: string[];
  /** null: the surrounding mode. */
  modes: (Mode | null)[];
  package: string | null;
}

/** Roles of environments; those of their content (`display`, `inner`, `raw`, `verbatim`) set the mode. */
type EnvironmentRole =
  /** Displayed mathematics, used in text. */
  | 'display'
  /** How the rows of displayed mathematics are set; without one of these there is a single row. */
  | 'aligned'
  | 'gathered'
  | 'array'
  /** Used inside mathematics. */
  | 'inner'
  /** `&` and `\\` separate columns and rows. */
  | 'columns'
  | 'raw'
  /** Read verbatim up to its `\end`. */
  | 'verbatim'
  /** Prints nothing, or no text. */
  | 'silent'
  | 'list'
  | 'table'
  /** Floats. */
  | 'float'
  /** May contain `\caption`. */
  | 'captioned'
  /** Usually defined by `\newtheorem`. */
  | 'theorem';

const environments = parse(`
equation: display
equation*: display @amsmath
displaymath math dmath(*): display
align(*) flalign(*): display columns aligned @amsmath
alignat(*): display columns aligned =r @amsmath
xalignat(*): display columns aligned =r @amsmath
gather(*) multline(*): display gathered @amsmath
eqnarray(*): display columns array
IEEEeqnarray(*): display columns array =r
aligned gathered split matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix cases: inner columns @amsmath
alignedat subarray: inner columns =r @amsmath
dcases(*) rcases drcases cases* matrix* pmatrix* bmatrix* Bmatrix* vmatrix* Vmatrix*: inner columns @mathtools
multlined psmallmatrix bsmallmatrix: inner columns @mathtools
array: inner columns =r
subequations: @amsmath
tabular tabu: columns table =r
tabular*: columns table =rr
tabularx: columns table =rr @tabularx
tabulary: columns table =rr @tabulary
longtable: columns table captioned =r @longtable
supertabular tabbing ltablex: columns
tblr: columns =r @tabularray
longtblr: columns @tabularray
tikzpicture scope: raw @tikz
tikzcd: raw columns @tikz-cd
axis semilogxaxis semilogyaxis loglogaxis: raw @pgfplots
circuitikz: raw @circuitikz
forest: raw @forest
pspicture picture pgfpicture: raw
itemize enumerate description: list
itemize* enumerate* description*: list @enumitem
compactitem compactenum trivlist: list
list: list =rr
tasks: list @tasks
verbatim(*): verbatim
Verbatim(*) BVerbatim(*) LVerbatim(*): verbatim @fancyvrb
lstlisting: verbatim @listings
minted: verbatim
alltt: verbatim @alltt
comment: verbatim silent @verbatim
filecontents(*): verbatim silent
figure(*) table(*): float captioned
algorithm(*): float captioned @algorithm
listing(*): captioned
wrapfigure(*) wraptable(*): captioned =rr @wrapfig
subfigure subtable: captioned =r @subcaption
sidewaystable(*) sidewaysfigure(*): captioned @rotating
sideways rotate: @rotating
theorem lemma proposition corollary definition remark example note claim exercise problem: theorem
conjecture axiom fact observation solution question answer satz beweis beispiel bemerkung: theorem
proof: @amsthm
minipage thebibliography: =r
multicols(*): =r @multicol
displayquote: @csquotes
algorithmic: @algpseudocode
adjustbox: @adjustbox
framed shaded oframed leftbar snugshade: @framed
mdframed: @mdframed
tcolorbox: @tcolorbox
spacing: =r @setspace
onehalfspace doublespace: @setspace
adjustwidth: =rr @changepage
landscape: @pdflscape
prooftree: @bussproofs
`);

/** Roles of commands. */
type CommandRole =
  /** Headings, `level0` (part, chapter) to `level5`. From `level4` on they are run-in headings. */
  | `level${number}`
  /** Not allowed inside mathematics. */
  | 'structural'
  /** Refers to a label: by its number, by its number in parentheses, or by what it is and its number. */
  | 'reference'
  | 'equation'
  | 'named'
  | 'citation'
  /** Style of its argument; with `switch`, of the rest of its group. */
  | Style
  | 'switch'
  /** A formula or a drawing in text, with its arguments. */
  | 'formula'
  /** Its arguments are not printed there. */
  | 'silent'
  /** Defines a command, or an environment. */
  | 'macro'
  | 'environment';

const styles = [
  'bold',
  'italic',
  'code',
  'underline',
  'highlight',
  'small-caps',
  'superscript',
  'subscript',
] as const;
export type Style = (typeof styles)[number];

const commands = parse(`
part(*) chapter(*): level0 structural =t
section(*): level1 structural =t
subsection(*): level2 structural =t
subsubsection(*): level3 structural =t
paragraph(*): level4 structural =t
subparagraph(*): level5 structural =t
caption(*): structural =t
item par newpage clearpage pagebreak maketitle tableofcontents bigskip medskip smallskip: structural
ref pageref: reference =r
eqref: reference equation =r @amsmath
autoref: reference named =r @hyperref
cref(*) Cref(*): reference named =r @cleveref
nameref: reference =r @hyperref
cpageref: reference =r @cleveref
vref: reference =r
cite citep citet parencite textcite: citation =r
label bibitem includegraphics(*) input include usepackage usetikzlibrary hspace(*) vspace(*) color pagestyle: =r
thispagestyle stepcounter bibliography bibliographystyle index pagenumbering hyphenation: =r
si unit ang num ce pu cf tikz chemfig: formula =r
usepgfplotslibrary lstset sisetup(*) setlist pgfplotsset tikzset hypersetup graphicspath geometry theoremstyle: =r
cmidrule cline RequirePackage documentclass printcounter value pgfmathsetmacro selectlanguage: =r
textcolor languagename scalebox rotatebox adjustbox: =r
multicolumn multirow: =rr
newcommand(*) renewcommand(*) providecommand(*) DeclareMathOperator(*): macro =rr
DeclareRobustCommand def NewDocumentCommand RenewDocumentCommand ProvideDocumentCommand DeclareDocumentCommand: macro
newtheorem(*): environment =rr
resizebox setlength addtolength setcounter addtocounter fontsize: =rr
SI qty numrange: formula =rr
SIrange qtyrange: formula =rrr
rule definecolor newcounter colorlet addcontentsline: =rrr
newenvironment(*): environment =rrr
renewenvironment newtcolorbox: environment
textbf: bold =t
textit textsl emph: italic =t
texttt: code =t
uline: underline =t
hl: highlight =t @soul
underline: underline =.
textsc: small-caps =t
textsuperscript: superscript =t
textsubscript: subscript =t
bfseries bf: bold switch
itshape slshape it em: italic switch
ttfamily tt: code switch
scshape: small-caps switch
text textrm textsf textnormal textup textmd mbox hbox fbox intertext shortintertext enquote hyperref: =t
footnote title(*) author date thanks centerline sout tag(*) makebox framebox: =t
href colorbox parbox raisebox foreignlanguage: =rt
fcolorbox: =rrt
phantom hphantom vphantom: silent =.
lhead chead rhead lfoot cfoot rfoot fancyhf fancyhead fancyfoot markright: silent =t
markboth: silent =tt
gradetable qedhere vskip arraystretch numpoints: silent
ensuremath: formula =m
operatorname(*) verb(*) lstinline(*) footnotemark(*) addlinespace(*) linebreak(*) titleformat(*):
`);

function parse(rows: string): Entry[] {
  const modes: Record<string, Mode | null> = { t: 'text', m: 'math', r: 'raw', '.': null };
  return rows
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [names = '', facts = ''] = row.split(':');
      const words = facts.trim().split(' ');
      const entry = {
        roles: words.filter((word) => /^[a-z]/.test(word)),
        modes: [...(words.find((word) => word.startsWith('='))?.slice(1) ?? '')].map((sign) => modes[sign]!),
        package: words.find((word) => word.startsWith('@'))?.slice(1) ?? null,
      };
      return names
        .split(' ')
        .flatMap((name) => (name.endsWith('(*)') ? [name.slice(0, -3), `${name.slice(0, -3)}*`] : [name]))
        .map((name) => ({ name, ...entry }));
    });
}

const environmentsThat = (...roles: EnvironmentRole[]): ReadonlySet<string> =>
  new Set(
    environments.filter((one) => roles.some((role) => one.roles.includes(role))).map(({ name }) => name),
  );
const commandsThat = (role: CommandRole): ReadonlySet<string> =>
  new Set(commands.filter(({ roles }) => roles.includes(role)).map(({ name }) => name));

const modesOf = (entries: readonly Entry[]): ReadonlyMap<string, readonly Mode[]> =>
  new Map(entries.map(({ name, modes }) => [name, modes.filter((mode) => mode !== null)]));
const stylesOf = (entries: readonly Entry[]): ReadonlyMap<string, Style> =>
  new Map(
    entries.flatMap(({ name, roles }) => {
      const style = styles.find((one) => roles.includes(one));
      return style ? [[name, style]] : [];
    }),
  );

/** Environments that start mathematics from text. */
export const displayEnvironments = environmentsThat('display');
/** How the rows of a displayed formula are set. */
export const displayRows: ReadonlyMap<string, 'one' | 'aligned' | 'gathered' | 'array'> = new Map(
  environments
    .filter(({ roles }) => roles.includes('display'))
    .map(({ name, roles }) => [
      name,
      (['aligned', 'gathered', 'array'] as const).find((role) => roles.includes(role)) ?? 'one',
    ]),
);
export const innerMathEnvironments = environmentsThat('inner');
/** Environments in which `&` and `\\` separate columns and rows. */
export const alignmentEnvironments = environmentsThat('columns');
export const listEnvironments = environmentsThat('list');
export const rawEnvironments = environmentsThat('raw');
export const tableEnvironments = environmentsThat('table');
export const verbatimEnvironments = environmentsThat('verbatim');
export const silentEnvironments = environmentsThat('silent');
export const floatEnvironments = environmentsThat('float');
export const captionedEnvironments = environmentsThat('captioned');
/** Without a star; they print their names. */
export const theoremEnvironments = environmentsThat('theorem');

/** Headings, with and without a star, and their levels: 0 part and chapter, 1 section … 5 subparagraph. */
export const headingLevels: ReadonlyMap<string, number> = new Map(
  commands.flatMap(({ name, roles }) => {
    const level = roles.find((role) => role.startsWith('level'));
    return level ? [[name, Number(level.slice(5))]] : [];
  }),
);
/** Headings from this level on are run-in. */
export const runInLevel = 4;
/** Commands not allowed inside mathematics: they show that a formula was left open. */
export const structuralCommands = commandsThat('structural');
/** Commands that refer to a label, or to several in one argument. */
export const referenceCommands = commandsThat('reference');
/** References that print more than a number: in parentheses, or with the kind of its target. */
export const equationReferences = commandsThat('equation');
export const namedReferences = commandsThat('named');
export const citationCommands = commandsThat('citation');
/** Commands that style their argument, and those that style the rest of the group they stand in. */
export const styleCommands = stylesOf(commands.filter(({ roles }) => !roles.includes('switch')));
export const styleSwitches = stylesOf(commands.filter(({ roles }) => roles.includes('switch')));
/** Formulas and drawings written in text as a command with arguments. */
export const formulaCommands = commandsThat('formula');
/** Commands that define commands, and those that define environments. */
export const macroCommands = commandsThat('macro');
export const environmentDefinitions = commandsThat('environment');
/** Names, without star, of commands that have a starred form. */
export const starredCommands: ReadonlySet<string> = new Set(
  commands.filter(({ name }) => name.endsWith('*')).map(({ name }) => name.slice(0, -1)),
);

const packagesOf = (entries: readonly Entry[]): ReadonlyMap<string, string> =>
  new Map(entries.flatMap((one) => (one.package ? [[one.name, one.package]] : [])));
const environmentModes = modesOf(environments);
const commandModes = modesOf(commands);

/** The modes of the braced arguments that follow `\begin{name}`. */
export const environmentArguments = (name: string): readonly Mode[] => environmentModes.get(name) ?? [];
/** The modes of a command's braced arguments; empty if they have the surrounding mode. */
export const commandArguments = (name: string): readonly Mode[] => commandModes.get(name) ?? [];
/** For each braced argument of a command, whether its words print; null for an unknown command. */
export const printedArguments = (name: string): readonly boolean[] | null => printed.get(name) ?? null;
const printed = new Map(
  commands
    .filter(({ modes, roles }) => modes.length > 0 || roles.includes('silent'))
    .map(({ name, modes, roles }) => [
      name,
      modes.map((mode) => mode !== 'raw' && !roles.includes('silent')),
    ]),
);
export const environmentPackages = packagesOf(environments);
export const commandPackages = packagesOf(commands);

const words = (list: string) => list.trim().split(/\s+/);

/** Commands of mathematics that take this many arguments. */
export const mathArity: ReadonlyMap<string, number> = new Map([
  ...words('frac dfrac tfrac cfrac binom dbinom tbinom stackrel overset underset').map(
    (name) => [name, 2] as const,
  ),
  ...words(
    'sqrt overline underline hat widehat tilde widetilde vec bar dot ddot overrightarrow mathbb mathbf mathrm ' +
      'mathcal mathfrak mathit mathsf boldsymbol overbrace underbrace operatorname text',
  ).map((name) => [name, 1] as const),
]);

/** Commands that need mathematics around them (Greek, relations, operators, big symbols, accents). */
export const mathOnlyCommands: ReadonlySet<string> = new Set([
  ...[...mathArity.keys()].filter((name) => name !== 'text' && name !== 'underline'),
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
