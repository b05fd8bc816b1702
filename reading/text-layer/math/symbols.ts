/** LaTeX commands for Unicode mathematics, with TeX's atom classes. Packages needed beyond amsmath are named. */

import { amsSigns } from '../glyphs/ams-signs.ts';

/** TeX's atom classes. */
export type AtomClass = 'ord' | 'op' | 'bin' | 'rel' | 'open' | 'close' | 'punct' | 'inner';

export interface MathSymbol {
  latex: string;
  atom: AtomClass;
}

const table: Record<AtomClass, string> = {
  ord: `α \\alpha β \\beta γ \\gamma δ \\delta ϵ \\epsilon ε \\varepsilon ζ \\zeta η \\eta θ \\theta ϑ \\vartheta ι \\iota κ \\kappa
ϰ \\varkappa λ \\lambda μ \\mu µ \\mu ν \\nu ξ \\xi ο o π \\pi ϖ \\varpi ρ \\rho ϱ \\varrho σ \\sigma ς \\varsigma τ \\tau υ \\upsilon
ϕ \\phi φ \\varphi χ \\chi ψ \\psi ω \\omega Γ \\Gamma Δ \\Delta ∆ \\Delta Θ \\Theta Λ \\Lambda Ξ \\Xi Π \\Pi Σ \\Sigma Υ \\Upsilon
ϒ \\Upsilon Φ \\Phi Ψ \\Psi Ω \\Omega Ω \\Omega ∂ \\partial ∇ \\nabla ∞ \\infty ∅ \\emptyset ∀ \\forall ∃ \\exists ∄ \\nexists ¬ \\neg
ℏ \\hbar ħ \\hbar ℓ \\ell ℘ \\wp ℜ \\Re ℑ \\Im ℵ \\aleph ℶ \\beth ı \\imath ȷ \\jmath ∠ \\angle △ \\triangle □ \\square ◻ \\square ■ \\blacksquare
◊ \\lozenge ♣ \\clubsuit ♢ \\diamondsuit ♡ \\heartsuit ♠ \\spadesuit ♯ \\sharp ♭ \\flat ♮ \\natural ⊤ \\top ⊥ \\perp ′ ' ″ ''
∁ \\complement ð \\eth § \\S ¶ \\P © \\copyright £ \\pounds € \\text{€} ° {}^{\\circ} % \\% & \\& # \\# $ \\$ _ \\_
… \\ldots ⋮ \\vdots ⋱ \\ddots ⋰ \\iddots ⋯ \\cdots ⃝ \\bigcirc ‰ \\text{‰} ✓ \\checkmark ⧫ \\blacklozenge ★ \\bigstar ▼ \\blacktriangledown ▲ \\blacktriangle ∡ \\measuredangle ∢ \\sphericalangle Ⓢ \\circledS ‵ \\backprime Ⅎ \\Finv ⅁ \\Game
℧ \\mho ℷ \\gimel ג \\gimel ℸ \\daleth ϝ \\digamma † \\dagger ‡ \\ddagger Å \\text{\\AA} ∎ \\blacksquare`,
  op: '∑ \\sum ∏ \\prod ∐ \\coprod ∫ \\int ∬ \\iint ∭ \\iiint ⨌ \\iiiint ∮ \\oint ∯ \\oiint ⋃ \\bigcup ⋂ \\bigcap ⨄ \\biguplus ⊔ \\bigsqcup ⨆ \\bigsqcup ⋀ \\bigwedge ⋁ \\bigvee ⨀ \\bigodot ⨁ \\bigoplus ⨂ \\bigotimes',
  bin: `∖ \\setminus ⋆ \\star + + − - - - – - ± \\pm ∓ \\mp × \\times ÷ \\div ∗ * * * · \\cdot ⋅ \\cdot ∘ \\circ ◦ \\circ • \\bullet ∙ \\bullet ∩ \\cap ∪ \\cup ⊎ \\uplus
⊓ \\sqcap ⊔ \\sqcup ∧ \\wedge ∨ \\vee ⊕ \\oplus ⊖ \\ominus ⊗ \\otimes ⊘ \\oslash ⊙ \\odot ⋄ \\diamond ◁ \\triangleleft ▷ \\triangleright
≀ \\wr ⨿ \\amalg ⋉ \\ltimes ⋊ \\rtimes ∔ \\dotplus ⊞ \\boxplus ⊟ \\boxminus ⊠ \\boxtimes ⊡ \\boxdot ⊻ \\veebar ⊼ \\barwedge ⩞ \\doublebarwedge ⋓ \\Cup ⋒ \\Cap ⋏ \\curlywedge ⋎ \\curlyvee ⋋ \\leftthreetimes ⋌ \\rightthreetimes
⊺ \\intercal ⊚ \\circledcirc ⊛ \\circledast ⊝ \\circleddash ⋇ \\divideontimes ⋖ \\lessdot ⋗ \\gtrdot △ \\bigtriangleup ▽ \\bigtriangledown`,
  rel: `= = < < > > ≤ \\le ≥ \\ge ⩽ \\leqslant ⩾ \\geqslant ≦ \\leqq ≧ \\geqq ≠ \\ne ≡ \\equiv ≈ \\approx ∼ \\sim ~ \\sim ≃ \\simeq ≅ \\cong ≍ \\asymp
∝ \\propto ∈ \\in ∉ \\notin ∋ \\ni ⊂ \\subset ⊃ \\supset ⊆ \\subseteq ⊇ \\supseteq ⊊ \\subsetneq ⊋ \\supsetneq ⊄ \\not\\subset ⊈ \\nsubseteq
⊏ \\sqsubset ⊐ \\sqsupset ⊑ \\sqsubseteq ⊒ \\sqsupseteq ≪ \\ll ≫ \\gg ≺ \\prec ≻ \\succ ⪯ \\preceq ⪰ \\succeq ≼ \\preccurlyeq ≽ \\succcurlyeq
⊢ \\vdash ⊣ \\dashv ⊨ \\vDash ⊩ \\Vdash ⊪ \\Vvdash ∣ \\mid ∤ \\nmid ∥ \\parallel ∦ \\nparallel ⊥ \\perp ⋈ \\bowtie ⌣ \\smile ⌢ \\frown ≐ \\doteq
≔ \\coloneqq ∶ : : : ≜ \\triangleq ≲ \\lesssim ≳ \\gtrsim ≶ \\lessgtr ⊲ \\vartriangleleft ⊴ \\trianglelefteq ⊵ \\trianglerighteq ∴ \\therefore ∵ \\because
≁ \\nsim ≇ \\ncong ≢ \\not\\equiv ≮ \\nless ≯ \\ngtr ≰ \\nleq ≱ \\ngeq
→ \\to ← \\leftarrow ↔ \\leftrightarrow ⇒ \\Rightarrow ⇐ \\Leftarrow ⇔ \\Leftrightarrow ↦ \\mapsto ⟶ \\longrightarrow ⟵ \\longleftarrow
⟷ \\longleftrightarrow ⟹ \\Longrightarrow ⟸ \\Longleftarrow ⟺ \\Longleftrightarrow ⟼ \\longmapsto ↪ \\hookrightarrow ↩ \\hookleftarrow ↠ \\twoheadrightarrow
↣ \\rightarrowtail ⇝ \\rightsquigarrow ↝ \\leadsto ↑ \\uparrow ↓ \\downarrow ↕ \\updownarrow ⇑ \\Uparrow ⇓ \\Downarrow ⇕ \\Updownarrow ↗ \\nearrow ↘ \\searrow ↙ \\swarrow
↖ \\nwarrow ⇀ \\rightharpoonup ⇁ \\rightharpoondown ↼ \\leftharpoonup ↽ \\leftharpoondown ⇌ \\rightleftharpoons ⇋ \\leftrightharpoons ↾ \\upharpoonright ⇄ \\rightleftarrows ⊸ \\multimap
⟳ \\circlearrowright ⟲ \\circlearrowleft ↞ \\twoheadleftarrow ⇇ \\leftleftarrows ⇉ \\rightrightarrows ⇈ \\upuparrows ⇊ \\downdownarrows ⇂ \\downharpoonright ↿ \\upharpoonleft
⇃ \\downharpoonleft ↢ \\leftarrowtail ⇆ \\leftrightarrows ↰ \\Lsh ↱ \\Rsh ↭ \\leftrightsquigarrow ↫ \\looparrowleft ↬ \\looparrowright ⇛ \\Rrightarrow ⇚ \\Lleftarrow
↶ \\curvearrowleft ↷ \\curvearrowright ↚ \\nleftarrow ↛ \\nrightarrow ⇍ \\nLeftarrow ⇏ \\nRightarrow ⇎ \\nLeftrightarrow ↮ \\nleftrightarrow
≗ \\circeq ≿ \\succsim ⪆ \\gtrapprox ≑ \\doteqdot ≾ \\precsim ⪅ \\lessapprox ⪕ \\eqslantless ⪖ \\eqslantgtr ⋞ \\curlyeqprec ⋟ \\curlyeqsucc ≓ \\risingdotseq ≒ \\fallingdotseq
≷ \\gtrless ⊳ \\vartriangleright ≬ \\between ▶ \\blacktriangleright ◀ \\blacktriangleleft ≖ \\eqcirc ⋚ \\lesseqgtr ⋛ \\gtreqless ⪋ \\lesseqqgtr ⪌ \\gtreqqless ⋐ \\Subset ⋑ \\Supset
⫅ \\subseteqq ⫆ \\supseteqq ≏ \\bumpeq ≎ \\Bumpeq ⋘ \\lll ⋙ \\ggg ⋔ \\pitchfork ∽ \\backsim ⋍ \\backsimeq ⊀ \\nprec ⊁ \\nsucc ≨ \\lneqq ≩ \\gneqq ⩽̸ \\nleqslant ⩾̸ \\ngeqslant
⪇ \\lneq ⪈ \\gneq ⪯̸ \\npreceq ⪰̸ \\nsucceq ⋨ \\precnsim ⋩ \\succnsim ⋦ \\lnsim ⋧ \\gnsim ≦̸ \\nleqq ≧̸ \\ngeqq ⪵ \\precneqq ⪶ \\succneqq ⪹ \\precnapprox ⪺ \\succnapprox
⪉ \\lnapprox ⪊ \\gnapprox ⫅̸ \\nsubseteqq ⫆̸ \\nsupseteqq ⫋ \\subsetneqq ⫌ \\supsetneqq ⊉ \\nsupseteq ⊬ \\nvdash ⊮ \\nVdash ⊭ \\nvDash ⊯ \\nVDash ⋭ \\ntrianglerighteq
⋬ \\ntrianglelefteq ⋪ \\ntriangleleft ⋫ \\ntriangleright ≂ \\eqsim ≊ \\approxeq ⪸ \\succapprox ⪷ \\precapprox ϶ \\backepsilon`,
  open: '( ( [ [ { \\{ ⟨ \\langle 〈 \\langle ⌊ \\lfloor ⌈ \\lceil ⟦ \\llbracket ⟪ \\langle\\!\\langle ⟮ \\lgroup',
  close:
    ') ) ] ] } \\} ⟩ \\rangle 〉 \\rangle ⌋ \\rfloor ⌉ \\rceil ⟧ \\rrbracket ⟫ \\rangle\\!\\rangle ! ! ? ? ⟯ \\rgroup',
  punct: ', , ; ;',
  inner: '',
};

const symbols = new Map<string, MathSymbol>();
for (const atom of Object.keys(table) as AtomClass[]) {
  const words = table[atom].split(/\s+/).filter(Boolean);
  for (let i = 0; i + 1 < words.length; i += 2) {
    const key = words[i] as string;
    if (!symbols.has(key)) symbols.set(key, { latex: words[i + 1] as string, atom });
  }
}
for (const { text, latex, atom } of amsSigns) symbols.set(text, { latex, atom });
symbols.set('|', { latex: '|', atom: 'ord' });
symbols.set('∥', { latex: '\\|', atom: 'ord' });
symbols.set('‖', { latex: '\\|', atom: 'ord' });
symbols.set('/', { latex: '/', atom: 'ord' });
symbols.set('⧸', { latex: '/', atom: 'ord' });
symbols.set('\\', { latex: '\\backslash', atom: 'ord' });
symbols.set('.', { latex: '.', atom: 'ord' });
symbols.set('⊔', { latex: '\\sqcup', atom: 'bin' });
symbols.set('⊥', { latex: '\\perp', atom: 'rel' });
symbols.set('△', { latex: '\\triangle', atom: 'ord' });
symbols.set('’', { latex: "'", atom: 'ord' });

/** Commands of relations and binary operators: what TeX breaks an inline formula after. */
export const breakCommands: ReadonlySet<string> = new Set(
  [...symbols.values()].filter((s) => s.atom === 'rel' || s.atom === 'bin').map((s) => s.latex),
);

/** Operators drawn large; their plain forms in `symbols` may be binary. */
const operators = new Map<string, string>([...'∑∏∐∫∬∭∮⋃⋂⨄⋀⋁⨀⨁⨂'].map((c) => [c, symbols.get(c)?.latex ?? c]));
operators.set('⊔', '\\bigsqcup');

export function findSymbol(text: string): MathSymbol | null {
  return symbols.get(text) ?? null;
}

export function findOperator(text: string): string | null {
  return operators.get(text) ?? null;
}

/** Names that LaTeX (with amsmath) typesets upright as operators. */
export const functionNames = new Set(
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh'.split(
    ' ',
  ),
);

/** Of those, the ones that take limits below in display. */
export const limitNames = new Set('det gcd inf lim liminf limsup max min Pr sup argmax argmin'.split(' '));

/** Accents over a letter, by the character that draws them. */
export const accents = new Map<string, { narrow: string; wide: string }>([
  ['ˆ', { narrow: '\\hat', wide: '\\widehat' }],
  ['^', { narrow: '\\hat', wide: '\\widehat' }],
  ['̂', { narrow: '\\hat', wide: '\\widehat' }],
  ['˜', { narrow: '\\tilde', wide: '\\widetilde' }],
  ['~', { narrow: '\\tilde', wide: '\\widetilde' }],
  ['̃', { narrow: '\\tilde', wide: '\\widetilde' }],
  ['¯', { narrow: '\\bar', wide: '\\overline' }],
  ['ˉ', { narrow: '\\bar', wide: '\\overline' }],
  ['̄', { narrow: '\\bar', wide: '\\overline' }],
  ['̅', { narrow: '\\bar', wide: '\\overline' }],
  ['˙', { narrow: '\\dot', wide: '\\dot' }],
  ['̇', { narrow: '\\dot', wide: '\\dot' }],
  ['¨', { narrow: '\\ddot', wide: '\\ddot' }],
  ['̈', { narrow: '\\ddot', wide: '\\ddot' }],
  ['⃛', { narrow: '\\dddot', wide: '\\dddot' }],
  ['ˇ', { narrow: '\\check', wide: '\\check' }],
  ['̌', { narrow: '\\check', wide: '\\check' }],
  ['˘', { narrow: '\\breve', wide: '\\breve' }],
  ['̆', { narrow: '\\breve', wide: '\\breve' }],
  ['´', { narrow: '\\acute', wide: '\\acute' }],
  ['́', { narrow: '\\acute', wide: '\\acute' }],
  ['`', { narrow: '\\grave', wide: '\\grave' }],
  ['̀', { narrow: '\\grave', wide: '\\grave' }],
  ['˚', { narrow: '\\mathring', wide: '\\mathring' }],
  ['̊', { narrow: '\\mathring', wide: '\\mathring' }],
  ['⃗', { narrow: '\\vec', wide: '\\overrightarrow' }],
]);
