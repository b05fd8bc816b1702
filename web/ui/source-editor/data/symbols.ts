/** The symbol palette's content: by kind, each symbol with further search words. */

export interface SymbolEntry {
  /** The inserted LaTeX: a command, or a command with a sample argument. */
  tex: string;
  /** Search words besides its name. */
  words: string;
}

const groups: Record<string, string> = {
  Greek:
    'alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega',
  Operators:
    'sum:series,add prod:product coprod int:integral iint:double,integral iiint:triple,integral oint:closed,contour,integral bigcup:union bigcap:intersection bigoplus:direct,sum bigotimes:tensor partial:derivative,d nabla:gradient,del sqrt{x}:root,square frac{a}{b}:fraction,over lim:limit sup inf max min',
  'Binary operators':
    'pm:plus,minus mp:minus,plus times:multiply,cross cdot:dot,multiply div:divide ast:star star circ:compose,circle bullet oplus:direct,sum,xor ominus otimes:tensor,product odot cup:union cap:intersection setminus:without,difference wedge:and,exterior vee:or dagger:adjoint ltimes rtimes',
  Relations:
    'leq:less,equal,smaller geq:greater,equal,larger neq:not,equal,unequal approx:about,roughly equiv:identical,congruent sim:similar,distributed simeq cong:congruent,isomorphic propto:proportional ll:much,less gg:much,greater prec:precedes succ in:element,member ni notin:not,element subset supset subseteq:subset,equal supseteq mid:divides parallel perp:orthogonal,perpendicular models vdash:proves asymp doteq',
  Arrows:
    'to:arrow,right rightarrow leftarrow leftrightarrow Rightarrow:implies Leftarrow Leftrightarrow:iff,equivalent mapsto:maps longrightarrow Longrightarrow implies iff:equivalent uparrow downarrow hookrightarrow:injection twoheadrightarrow:surjection rightharpoonup rightleftharpoons:equilibrium,reaction nearrow searrow leadsto',
  'Logic and sets':
    'forall:all,every exists:there nexists neg:not,negation land:and lor:or therefore because emptyset:empty varnothing:empty aleph:cardinal complement mathbb{N}:natural,numbers mathbb{Z}:integers mathbb{Q}:rationals mathbb{R}:real,numbers mathbb{C}:complex,numbers top bot:bottom,false',
  'Brackets and dots':
    'langle:angle,bracket rangle:angle,bracket lfloor:floor rfloor:floor lceil:ceiling rceil:ceiling lVert:norm rVert:norm ldots:dots cdots:dots vdots:dots ddots:dots',
  Accents:
    'hat{x} widehat{x} bar{x}:mean,conjugate overline{x}:line,conjugate tilde{x} vec{v}:vector,arrow dot{x}:time,derivative ddot{x}:second,derivative overbrace{x} underbrace{x} mathcal{L}:script,calligraphic mathfrak{g}:fraktur,lie mathbf{x}:bold',
  Others:
    'infty:infinity hbar:planck,reduced ell Re:real,part Im:imaginary,part wp angle triangle square:box,qed prime degree:temperature,angle checkmark:tick dag S:section P:paragraph clubsuit heartsuit spadesuit diamondsuit flat sharp natural',
};

export const symbolGroups: readonly { title: string; symbols: readonly SymbolEntry[] }[] = Object.entries(
  groups,
).map(([title, list]) => ({
  title,
  symbols: list.split(' ').map((entry) => {
    const [tex = '', words = ''] = entry.split(':');
    return { tex: `\\${tex}`, words: words.replaceAll(',', ' ') };
  }),
}));

/** Every word of the query must be a prefix of one of the symbol's words, or occur in its name. */
export function findSymbols(query: string): typeof symbolGroups {
  const wanted = query.toLowerCase().replaceAll('\\', '').split(/\s+/).filter(Boolean);
  const fits = (title: string, { tex, words }: SymbolEntry) => {
    const name = tex.toLowerCase();
    const all = `${words} ${title.toLowerCase()}`.split(' ');
    return wanted.every((word) => name.includes(word) || all.some((one) => one.startsWith(word)));
  };
  return symbolGroups
    .map(({ title, symbols }) => ({ title, symbols: symbols.filter((symbol) => fits(title, symbol)) }))
    .filter(({ symbols }) => symbols.length > 0);
}
