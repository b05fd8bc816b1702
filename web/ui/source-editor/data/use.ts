/**
 * How common commands and environments are: what completion offers first among names that match equally well.
 * By our judgement of papers and lecture notes; earlier names are more common.
 */

const commandsByUse = `
begin end frac left right item section subsection cite ref label mathbf mathbb mathcal textbf text alpha sum beta
lambda mu int sigma partial theta phi delta in eqref infty textit emph epsilon mathrm gamma leq cdot to pi omega psi
caption includegraphics usepackage footnote sqrt hat rho times quad tilde varepsilon Omega Delta nabla geq bar Gamma
tau nu xi eta ldots subsubsection rangle langle newcommand dots textwidth hline overline dfrac operatorname centering
prime subset varphi kappa forall sim cdots rightarrow Phi paragraph url href vec hspace vspace neq chi ell equiv Lambda
approx limits Sigma prod bigl bigr otimes mapsto dot lim log mid zeta qquad mathfrak cup pm widehat widetilde exp setminus
Theta leftarrow texttt boldsymbol tfrac subseteq cap sin cos oplus Psi exists Rightarrow binom wedge circ max min sup inf
dagger ddot hbar propto ll gg perp star cong simeq ast Pi notin dim ker det deg oint iint bigcup bigcap bigoplus tan ln
implies iff Leftrightarrow parallel emptyset Re Im mathscr mathsf underline textsc textsf citep citet cref Cref
autoref pageref nonumber tag noindent newpage clearpage maketitle title author date tableofcontents today
bibliography bibliographystyle appendix input documentclass DeclareMathOperator newtheorem renewcommand chapter toprule
midrule bottomrule multicolumn multirow overset underset underbrace overbrace substack xrightarrow vdots ddots lVert
rVert lfloor rfloor lceil rceil uparrow downarrow hookrightarrow longrightarrow stackrel textcolor
`;
const environmentsByUse = `
equation align itemize figure enumerate equation* align* table tabular proof document theorem lemma center cases
aligned pmatrix array definition split proposition remark example corollary abstract gather matrix bmatrix
description multline minipage quote gather* multline* verbatim algorithm algorithmic tikzpicture lstlisting subfigure
tabularx longtable thebibliography vmatrix exercise problem solution note claim
`;

/** The maximum that frequency counts for. */
const mostUse = 17;

function rank(words: string): ReadonlyMap<string, number> {
  const names = words.trim().split(/\s+/);
  return new Map(names.map((name, index) => [name, mostUse * (1 - index / names.length)]));
}

/** By name, up to `mostUse`; missing names are the least common. */
export const useOfCommands = rank(commandsByUse);
export const useOfEnvironments = rank(environmentsByUse);
