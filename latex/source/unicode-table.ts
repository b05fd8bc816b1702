/** Characters and their LaTeX mathematics; names of the LaTeX kernel and amssymb. */

const table = `
α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu µ mu
ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega
Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ∆ Delta Ω Omega
∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap ⨁ bigoplus ⨂ bigotimes ⋁ bigvee ⋀ bigwedge
≤ leq ≥ geq ≠ neq ≈ approx ≡ equiv ∼ sim ≃ simeq ≅ cong ∝ propto ≪ ll ≫ gg ≺ prec ≻ succ ≼ preceq ≽ succeq
⩽ leqslant ⩾ geqslant ≲ lesssim ≳ gtrsim ≰ nleq ≱ ngeq ≮ nless ≯ ngtr ≢ not\\equiv ≔ coloneqq ≜ triangleq ≐ doteq ≍ asymp
∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ⊄ not\\subset ⊈ nsubseteq ⊊ subsetneq ⊋ supsetneq ∅ varnothing
∪ cup ∩ cap ∖ setminus ⊎ uplus ∧ wedge ∨ vee ¬ neg ∀ forall ∃ exists ∄ nexists ⊤ top ⊥ bot ⊢ vdash ⊨ models ⊣ dashv
→ rightarrow ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ↑ uparrow ↓ downarrow
⟶ longrightarrow ⟵ longleftarrow ⟷ longleftrightarrow ⟹ Longrightarrow ⟸ Longleftarrow ⟺ Longleftrightarrow ⟼ longmapsto
↪ hookrightarrow ↩ hookleftarrow ⇀ rightharpoonup ⇌ rightleftharpoons ⇋ leftrightharpoons ↗ nearrow ↘ searrow ↙ swarrow ↖ nwarrow
⇑ Uparrow ⇓ Downarrow ↕ updownarrow ⇕ Updownarrow ↝ rightsquigarrow ↠ twoheadrightarrow ↣ rightarrowtail ↻ circlearrowright
↺ circlearrowleft ⇄ rightleftarrows ➔ rightarrow ➜ rightarrow ➝ rightarrow ➞ rightarrow ⟿ rightsquigarrow ↯ lightning
× times ÷ div ± pm ∓ mp · cdot ⋅ cdot ∗ ast ⋆ star ∘ circ • bullet ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash ⊙ odot † dagger ‡ ddagger
∞ infty ∂ partial ∇ nabla ℓ ell ℏ hbar ℜ Re ℑ Im ℘ wp ℵ aleph ı imath ∠ angle ∡ measuredangle △ triangle ▽ triangledown
□ square ■ blacksquare ◻ square ◼ blacksquare ▢ square ☐ square ☑ boxtimes ☒ boxtimes ◇ Diamond ⋄ diamond ◆ blacklozenge ○ bigcirc
● bullet ▲ blacktriangle ▼ blacktriangledown ▶ blacktriangleright ◀ blacktriangleleft ★ bigstar ☆ star ∎ blacksquare
√ surd ∛ sqrt[3]{} ∜ sqrt[4]{} ∣ mid ∤ nmid ∥ parallel ∦ nparallel ⟂ perp ⊲ triangleleft ⊳ triangleright ⋉ ltimes ⋊ rtimes
⟨ langle ⟩ rangle 〈 langle 〉 rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ‖ Vert ⟦ llbracket ⟧ rrbracket
… ldots ⋯ cdots ⋮ vdots ⋱ ddots ′ prime ″ prime\\prime ‴ prime\\prime\\prime ∴ therefore ∵ because
✓ checkmark ✔ checkmark ✗ times ✘ times ♠ spadesuit ♥ heartsuit ♦ diamondsuit ♣ clubsuit ♭ flat ♮ natural ♯ sharp
ℝ mathbb{R} ℕ mathbb{N} ℤ mathbb{Z} ℚ mathbb{Q} ℂ mathbb{C} ℍ mathbb{H} ℙ mathbb{P} 𝔽 mathbb{F} ℒ mathcal{L} ℱ mathcal{F}
ℋ mathcal{H} ℐ mathcal{I} ℛ mathcal{R} ℬ mathcal{B} ℰ mathcal{E} ℳ mathcal{M} ℊ g ⅆ mathrm{d} ⅇ mathrm{e} ⅈ mathrm{i}
⊞ boxplus ⊟ boxminus ⊠ boxtimes ⊡ boxdot ≀ wr ⨯ times ⊓ sqcap ⊔ sqcup ⊑ sqsubseteq ⊒ sqsupseteq ∔ dotplus ⟌ overline{}
`;

/** Character → LaTeX mathematics (with its backslash). */
export const mathCharacters: ReadonlyMap<string, string> = new Map(
  [...table.trim().matchAll(/(\S+)\s+(\S+)/gu)].map(([, character, command]) => [
    character!,
    /^[a-z]$/.test(command!) ? command! : `\\${command}`,
  ]),
);

/** Characters that are better written as LaTeX text, in text mode. */
export const textCharacters: ReadonlyMap<string, string> = new Map([
  ['\u00ad', '\\-'],
  ['\u2000', ' '],
  ['\u2001', '\\quad{}'],
  ['\u2002', '\\enspace{}'],
  ['\u2003', '\\quad{}'],
  ['\u2004', ' '],
  ['\u2005', ' '],
  ['\u2006', '\\,'],
  ['\u2007', '~'],
  ['\u2008', '\\,'],
  ['\u2009', '\\,'],
  ['\u200a', '\\,'],
  ['\u200c', ''],
  ['\u200d', ''],
  ['\u202f', '\\,'],
  ['\u205f', ' '],
  ['\u3000', '\\quad{}'],
  ['\u2012', '--'],
  ['\u2015', '---'],
  ['\u2032', "$'$"],
  ['\u2033', "$''$"],
  ['\u2043', '--'],
  ['\u2070', '\\textsuperscript{0}'],
  ['\u203c', '!!'],
  ['\u2049', '!?'],
  ['\u20d7', ''],
  ['\ufb05', 'ft'],
  ['\ufb06', 'st'],
]);

const superscripts = '⁰0¹1²2³3⁴4⁵5⁶6⁷7⁸8⁹9⁺+⁻-⁼=⁽(⁾)ⁿnⁱi';
const subscripts = '₀0₁1₂2₃3₄4₅5₆6₇7₈8₉9₊+₋-₌=₍(₎)ₐaₑeᵢiₙnₓx';
const pairs = (list: string): Map<string, string> => {
  const characters = [...list];
  const map = new Map<string, string>();
  for (let i = 0; i + 1 < characters.length; i += 2) map.set(characters[i]!, characters[i + 1]!);
  return map;
};
export const superscriptCharacters: ReadonlyMap<string, string> = pairs(superscripts);
export const subscriptCharacters: ReadonlyMap<string, string> = pairs(subscripts);

/** Vulgar fractions as numerator and denominator. */
export const fractionCharacters: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['½', [1, 2]],
  ['⅓', [1, 3]],
  ['⅔', [2, 3]],
  ['¼', [1, 4]],
  ['¾', [3, 4]],
  ['⅕', [1, 5]],
  ['⅖', [2, 5]],
  ['⅗', [3, 5]],
  ['⅘', [4, 5]],
  ['⅙', [1, 6]],
  ['⅚', [5, 6]],
  ['⅐', [1, 7]],
  ['⅛', [1, 8]],
  ['⅜', [3, 8]],
  ['⅝', [5, 8]],
  ['⅞', [7, 8]],
]);

type Range = readonly [number, number];
const ranges = (list: string): Range[] =>
  list
    .trim()
    .split(/\s+/)
    .map((part) => {
      const [from, to] = part.split('-');
      return [Number.parseInt(from!, 16), Number.parseInt(to ?? from!, 16)] as const;
    });

/** Characters of the default text font (Latin Modern, both Roman and Mono); from `fc-query` on lmroman10-regular.otf. */
const defaultFont = ranges(
  '9-a 20-7e a0-137 139-148 14a-165 168-17f 18e 192 1a0-1a1 1af-1b0 1cd-1d4 1d7-1dd 1e6-1e7 1ea-1eb 1f0 1f4-1f5 1fa-201 ' +
    '204-205 208-209 20c-20d 210-211 214-215 218-21b 237 258-259 2be-2bf 2c6-2c7 2d8-2dd 300-304 306-30c 30f 311 323 326 ' +
    '32e-332 e3f 1e0c-1e0f 1e24-1e27 1e2a-1e2b 1e2e-1e2f 1e36-1e39 1e42-1e47 1e58-1e5d 1e62-1e63 1e6c-1e6f 1e80-1e85 ' +
    '1e92-1e93 1e97 1ea0-1ef9 2010-2011 2013-2014 2016 2018-201a 201c-201e 2020-2022 2026 2030-2031 2039-203b 203d ' +
    '203f-2040 2044-2046 2052 2054 20a1 20a4 20a6 20a9 20ab-20ac 20b1 2103 2116-2117 211e 2120 2122 212e fb00-fb04',
);

/** Letters of other scripts that Liberation Serif and Liberation Mono print: Greek, Cyrillic; from `fc-query`. */
const otherScriptFont = ranges('37e 384-38a 38c 38e-3a1 3a3-3ce 400-45f 490-491');

const within = (list: readonly Range[], code: number) =>
  list.some(([from, to]) => code >= from && code <= to);

/** @param code a Unicode code point */
export function isPrintedByDefault(code: number): boolean {
  return code < 0x7f || within(defaultFont, code);
}

/** @param code a Unicode code point */
export function isPrintedByOtherScript(code: number): boolean {
  return code >= 0x37e && within(otherScriptFont, code);
}
