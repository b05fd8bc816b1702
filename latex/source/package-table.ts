/** Which package provides which command or environment, and in which order packages load. */
import { commandPackages, environmentPackages } from './commands.ts';

interface PackageEntry {
  name: string;
  /** Options that are always passed. */
  options?: string;
  /** Words: commands without backslash. */
  commands?: string;
}

/**
 * In load order: hyperref and cleveref last (as their manuals advise). Only packages that
 * the system package list installs. A name in several entries belongs to the first.
 */
const entries: PackageEntry[] = [
  {
    name: 'xcolor',
    commands:
      'textcolor color definecolor colorbox fcolorbox colorlet pagecolor rowcolor cellcolor rowcolors columncolor',
  },
  {
    name: 'amsmath',
    commands:
      'text dfrac tfrac cfrac binom dbinom tbinom tag intertext operatorname operatorname* DeclareMathOperator ' +
      'DeclareMathOperator* iint iiint idotsint dots dotsc dotsb dotsm boxed overset underset sideset substack xrightarrow ' +
      'xleftarrow pmod* mod pod overleftrightarrow underleftrightarrow underrightarrow underleftarrow dddot ddddot numberwithin ' +
      'lvert rvert lVert rVert bmod* genfrac smash hdotsfor notag shoveleft shoveright implies impliedby iff* varlimsup ' +
      'varliminf injlim projlim allowdisplaybreaks hdotsfor dotsi dotso mspace thickspace* negmedspace negthickspace',
  },
  {
    name: 'mathtools',
    commands:
      'coloneqq eqqcolon Coloneqq vcentcolon DeclarePairedDelimiter DeclarePairedDelimiterX shortintertext mathclap mathllap ' +
      'mathrlap prescript xLeftarrow xRightarrow xLeftrightarrow xleftrightarrow xhookrightarrow xhookleftarrow xmapsto ' +
      'xrightharpoonup xrightleftharpoons underbracket overbracket dblcolon splitfrac cramped smashoperator',
  },
  {
    name: 'amssymb',
    commands:
      'mathbb mathfrak square blacksquare Box Diamond lozenge blacklozenge therefore because leqslant geqslant lesssim gtrsim ' +
      'lessgtr gtrless nleq ngeq nless ngtr nmid nparallel nsubseteq nsupseteq subsetneq supsetneq varnothing nexists ' +
      'complement eth hslash triangleq doteqdot Doteq risingdotseq fallingdotseq circlearrowleft circlearrowright ' +
      'rightsquigarrow leftrightarrows rightleftarrows rightrightarrows leftleftarrows twoheadrightarrow twoheadleftarrow ' +
      'rightarrowtail leftarrowtail upharpoonright restriction boxplus boxminus boxtimes boxdot dotplus ltimes rtimes ' +
      'smallsetminus divideontimes curlyvee curlywedge intercal vDash Vdash nvdash nvDash preccurlyeq succcurlyeq ' +
      'vartriangle triangledown blacktriangle blacktriangledown blacktriangleright blacktriangleleft vartriangleright ' +
      'vartriangleleft trianglelefteq trianglerighteq measuredangle sphericalangle bigstar checkmark maltese yen circledR ' +
      'circledS backprime beth gimel daleth digamma varkappa Finv Game Bbbk nRightarrow nLeftarrow nrightarrow nleftarrow ' +
      'leadsto lhd rhd unlhd unrhd Join mho sqsubset sqsupset curvearrowright curvearrowleft multimap between pitchfork ' +
      'thicksim thickapprox approxeq backsim eqsim bumpeq Cap Cup Subset Supset subseteqq supseteqq leqq geqq lneq gneq ' +
      'lneqq gneqq ulcorner urcorner llcorner lrcorner nexists shortmid shortparallel leftrightharpoons lll ggg',
  },
  {
    name: 'amsthm',
    commands: 'newtheorem* theoremstyle qedhere qedsymbol newtheoremstyle swapnumbers qed',
  },
  { name: 'bm', commands: 'bm' },
  { name: 'mathrsfs', commands: 'mathscr' },
  {
    name: 'stmaryrd',
    commands: 'llbracket rrbracket lightning mapsfrom shortrightarrow fatsemi boxempty trianglelefteqslant',
  },
  {
    name: 'esint',
    commands: 'oiint ointctrclockwise ointclockwise varointclockwise fint sqint landupint landdownint',
  },
  { name: 'cancel', commands: 'cancel bcancel xcancel cancelto' },
  {
    name: 'physics',
    commands:
      'dv pdv fdv qty* abs norm eval order comm acomm pb dd vb va vu grad curl laplacian bra ket braket ketbra ip dyad expval ev mel matrixel qq qqtext tr Tr rank mqty pmqty bmqty vmqty smqty dmat admat imat xmat zmat pmat erf Res principalvalue PV Re* Im* div* cross vdot flatfrac sbmqty',
  },
  { name: 'braket', commands: 'Bra Ket Braket Set set' },
  {
    name: 'siunitx',
    commands:
      'SI si num ang qty unit SIrange qtyrange numrange SIlist qtylist numlist sisetup DeclareSIUnit tablenum kilo meter metre second',
  },
  { name: 'mhchem', options: 'version=4', commands: 'ce cf' },
  { name: 'chemfig', commands: 'chemfig setchemfig charge Charge schemestart chemname lewis' },
  { name: 'graphicx', commands: 'includegraphics graphicspath rotatebox scalebox resizebox reflectbox' },
  { name: 'array', commands: 'newcolumntype arraybackslash extrarowheight' },
  {
    name: 'booktabs',
    commands:
      'toprule midrule bottomrule cmidrule addlinespace specialrule morecmidrules heavyrulewidth lightrulewidth aboverulesep',
  },
  { name: 'tabularx' },
  { name: 'tabulary' },
  { name: 'longtable', commands: 'endhead endfirsthead endfoot endlastfoot' },
  { name: 'multirow', commands: 'multirow multirowcell' },
  { name: 'makecell', commands: 'makecell thead diaghead Xhline' },
  { name: 'tabularray' },
  { name: 'multicol', commands: 'columnbreak' },
  {
    name: 'enumitem',
    commands: 'setlist newlist renewlist setlistdepth',
  },
  { name: 'tasks', commands: 'task settasks' },
  { name: 'ulem', options: 'normalem', commands: 'uline uuline uwave sout xout dashuline dotuline' },
  { name: 'soul', commands: 'hl ul st so caps setul sethlcolor' },
  { name: 'pifont', commands: 'ding dingline dinglist' },
  {
    name: 'wasysym',
    commands:
      'smiley frownie male female Circle CIRCLE lightning* permil diameter phone sun eighthnote photon',
  },
  { name: 'textcomp', commands: '' },
  { name: 'eurosym', commands: 'euro EUR' },
  { name: 'csquotes', commands: 'enquote blockquote textquote foreignquote' },
  { name: 'verbatim' },
  {
    name: 'fancyvrb',
    commands: 'VerbatimInput DefineVerbatimEnvironment',
  },
  { name: 'alltt' },
  {
    name: 'listings',
    commands: 'lstset lstinline lstinputlisting lstdefinestyle lstdefinelanguage',
  },
  { name: 'float', commands: 'newfloat floatstyle restylefloat floatname' },
  { name: 'algorithm', commands: 'listofalgorithms' },
  {
    name: 'algpseudocode',
    commands:
      'State If EndIf Else ElsIf For EndFor ForAll While EndWhile Repeat Until Loop EndLoop Require Ensure Return Comment Call Function EndFunction Procedure EndProcedure Statex Switch',
  },
  { name: 'wrapfig' },
  { name: 'caption', commands: 'captionof captionsetup ContinuedFloat' },
  { name: 'subcaption', commands: 'subcaptionbox subcaption' },
  { name: 'adjustbox', commands: 'adjustbox' },
  { name: 'framed' },
  { name: 'mdframed', commands: 'mdfsetup newmdenv' },
  {
    name: 'tcolorbox',
    commands: 'tcbox newtcolorbox tcbset tcbuselibrary newtcbox',
  },
  {
    name: 'fancyhdr',
    commands: 'fancyhf fancyhead fancyfoot lhead chead rhead lfoot cfoot rfoot headrulewidth',
  },
  { name: 'lastpage', commands: '' },
  { name: 'titlesec', commands: 'titleformat titlespacing' },
  {
    name: 'setspace',
    commands: 'onehalfspacing doublespacing singlespacing setstretch',
  },
  { name: 'parskip', commands: '' },
  { name: 'changepage' },
  { name: 'pdflscape' },
  { name: 'rotating' },
  {
    name: 'tikz',
    commands: 'tikz usetikzlibrary tikzset pgfmathsetmacro tikzstyle tikzmark',
  },
  { name: 'tikz-cd', commands: '' },
  {
    name: 'pgfplots',
    commands: 'pgfplotsset addplot usepgfplotslibrary',
  },
  { name: 'circuitikz', commands: 'ctikzset' },
  { name: 'forest' },
  {
    name: 'bussproofs',
    commands: 'AxiomC UnaryInfC BinaryInfC TrinaryInfC RightLabel LeftLabel DisplayProof AXC UIC BIC',
  },
  { name: 'nicefrac', commands: 'nicefrac' },
  { name: 'xfrac', commands: 'sfrac' },
  { name: 'gensymb', commands: 'degree celsius ohm perthousand micro' },
  { name: 'url', commands: 'url urlstyle' },
  {
    name: 'hyperref',
    options: 'hidelinks',
    commands: 'href hypersetup hyperref phantomsection texorpdfstring hypertarget hyperlink nolinkurl',
  },
  { name: 'cleveref', commands: 'crefrange crefname Crefname' },
];

const words = (list: string | undefined) => (list ?? '').split(/\s+/).filter(Boolean);

const commandOwner = new Map(commandPackages);
for (const entry of entries) {
  // A trailing `*` on a command that has no starred form marks "known, but no reason to load the package".
  for (const name of words(entry.commands)) {
    const isStarredForm =
      name === 'DeclareMathOperator*' || name === 'operatorname*' || name === 'newtheorem*';
    if ((!name.endsWith('*') || isStarredForm) && !commandOwner.has(name)) commandOwner.set(name, entry.name);
  }
}
const order = new Map(entries.map((entry, index) => [entry.name, index]));
const fixedOptions = new Map(
  entries.flatMap((entry) => (entry.options ? [[entry.name, entry.options] as const] : [])),
);

/** The package that defines a command (without its backslash); null for one of LaTeX's own, or of none in the table. */
export function findCommandPackage(command: string): string | null {
  return commandOwner.get(command) ?? null;
}

/** The package that defines an environment; null for one of LaTeX's own, or of none in the table. */
export function findEnvironmentPackage(environment: string): string | null {
  return environmentPackages.get(environment) ?? null;
}

/** Place in the load order; unknown packages go before hyperref. */
export function packageOrder(name: string): number {
  return order.get(name) ?? (order.get('url') ?? 0) - 0.5;
}

/** Default options of a package, e.g. `hidelinks`. */
export function defaultPackageOptions(name: string): string | undefined {
  return fixedOptions.get(name);
}

/** Names of all packages in the table. */
export function knownPackages(): string[] {
  return [...order.keys()];
}

/** Whether the package is in the table, and so installed. */
export function isKnownPackage(name: string): boolean {
  return order.has(name);
}

/** Loaded by another package of the table: needs no line of its own. */
export const impliedPackages: Record<string, readonly string[]> = {
  mathtools: ['amsmath'],
  physics: ['amsmath'],
  cleveref: [],
  'tikz-cd': ['tikz'],
  pgfplots: ['tikz', 'graphicx', 'xcolor'],
  circuitikz: ['tikz', 'graphicx', 'xcolor'],
  forest: ['tikz'],
  tikz: ['graphicx', 'xcolor'],
  amssymb: ['amsfonts'],
  hyperref: ['url'],
  subcaption: ['caption'],
};
