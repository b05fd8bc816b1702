/** Names that people mistype: the commands and environments used in notes, by frequency of misspelling. */
import { knownPackages } from '../source/package-table.ts';

const commands =
  'alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho sigma ' +
  'varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ' +
  'frac dfrac tfrac sqrt sum prod int iint iiint oint lim limsup liminf max min sup inf sin cos tan cot sec csc arcsin arccos ' +
  'arctan sinh cosh tanh coth log ln lg exp det dim ker gcd deg hom arg Pr infty partial nabla forall exists neg in notin ni ' +
  'subset subseteq supset supseteq cup cap setminus emptyset varnothing times div cdot cdots ldots vdots ddots dots pm mp ' +
  'leq geq neq le ge ne approx equiv sim simeq cong propto ll gg perp parallel mid nmid to rightarrow leftarrow Rightarrow ' +
  'Leftarrow leftrightarrow Leftrightarrow longrightarrow Longrightarrow mapsto longmapsto implies iff uparrow downarrow ' +
  'hookrightarrow rightharpoonup xrightarrow wedge vee oplus otimes odot circ bullet star ast dagger land lor lnot top bot ' +
  'angle triangle square hbar ell Re Im aleph prime left right big Big bigg Bigg bigl bigr Bigl Bigr langle rangle lfloor ' +
  'rfloor lceil rceil lvert rvert lVert rVert vert Vert overline underline overbrace underbrace overset underset stackrel hat ' +
  'widehat tilde widetilde bar vec dot ddot acute grave check breve mathring overrightarrow binom tbinom dbinom choose mathbb ' +
  'mathbf mathcal mathfrak mathit mathrm mathsf mathtt mathscr boldsymbol bm text textbf textit textrm textsf texttt textsc ' +
  'textup emph textcolor color underline tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge quad qquad ' +
  'hspace vspace hfill vfill newline newpage clearpage pagebreak linebreak noindent indent par item label ref eqref pageref ' +
  'autoref cref Cref cite caption footnote section subsection subsubsection paragraph subparagraph chapter part title author ' +
  'date maketitle tableofcontents listoffigures listoftables appendix bibliography bibliographystyle bibitem includegraphics ' +
  'input include usepackage documentclass begin end newcommand renewcommand providecommand newenvironment newtheorem ' +
  'DeclareMathOperator operatorname setlength addtolength setcounter addtocounter arabic roman Roman alph Alph hline cline ' +
  'toprule midrule bottomrule cmidrule multicolumn multirow centering raggedright raggedleft today LaTeX TeX href url SI si qty ' +
  'unit num ang ce chemfig cancel boxed tag notag nonumber intertext displaystyle textstyle limits nolimits mathrm substack ' +
  'draw node fill path coordinate foreach tikzset addplot usetikzlibrary ket bra braket dv pdv abs norm enquote rule parbox ' +
  'mbox fbox framebox makebox minipage lstinputlisting verb thanks and protect phantom hphantom vphantom smash qedhere ' +
  'textsuperscript textsubscript textquote textasciitilde textbackslash checkmark therefore because blacksquare Box degree ' +
  'signature address opening closing encl question questions points droppoints gradetable solution addpoints ' +
  'runningheader runningfooter firstpageheader firstpagefooter runningheadrule numpages ' +
  'newtheoremstyle theoremstyle qedhere lstset geometry pagestyle thispagestyle fancyhead fancyfoot fancyhf headrulewidth ' +
  'parindent parskip textwidth linewidth textheight columnwidth baselineskip tabcolsep arraystretch definecolor colorlet ' +
  'lfoot rfoot cfoot lhead rhead chead setlist sisetup DeclareSIUnit microtypesetup hypersetup captionsetup bfseries itshape ' +
  'ttfamily sffamily rmfamily mdseries upshape slshape scshape centerline medskip bigskip smallskip medskipamount bigskipamount smallskipamount vskip hskip par ' +
  'selectlanguage foreignlanguage numberwithin allowdisplaybreaks mathop colon ' +
  'celsius euro S P copyright dag ddag pounds ss ae oe aa AA o O l L i j';

const environments =
  'document equation equation* align align* gather gather* multline multline* flalign flalign* alignat split aligned gathered ' +
  'cases matrix pmatrix bmatrix vmatrix Vmatrix smallmatrix array tabular tabular* tabularx longtable table figure itemize ' +
  'enumerate description center flushleft flushright quote quotation verse abstract verbatim lstlisting minipage theorem lemma ' +
  'proof definition proposition corollary remark example tikzpicture axis eqnarray displaymath math thebibliography titlepage ' +
  'algorithm algorithmic tcolorbox frame multicols subfigure wrapfigure comment';

const commandNames = commands.split(' ');
const environmentNames = environments.split(' ');

/** True for the common commands listed here. */
export function isCommandName(name: string): boolean {
  return commandNames.includes(name);
}

/** The command (without backslash) most likely meant by a mistyped one, or null. */
export function nearestCommand(name: string): string | null {
  return nearestOf(name, commandNames);
}

/** The environment most likely meant by a mistyped one, or null. */
export function nearestEnvironment(name: string): string | null {
  return nearestOf(name, environmentNames);
}

/** The package most likely meant by a mistyped one, or null. */
export function nearestPackage(name: string): string | null {
  return nearestOf(name, [
    ...knownPackages(),
    'inputenc',
    'fontenc',
    'babel',
    'fontspec',
    'parskip',
    'microtype',
  ]);
}

/** The one of these names most likely meant by a mistyped one, or null. */
export function nearestOf(name: string, candidates: readonly string[]): string | null {
  if (name.length < 3) return null;
  // one typo in a short name, two in a longer one
  let limit = name.length <= 4 ? 1 : 2;
  let best: string | null = null;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > limit) continue;
    const found = editDistance(name, candidate);
    // on a tie the earlier candidate wins: the list begins with the common ones
    if (found > 0 && (found < limit || (found === limit && best === null))) {
      best = candidate;
      limit = found;
    }
  }
  return best;
}

/** Edits between two names; swapping two neighbours counts as one. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, rows[i - 2]![j - 2]! + 1);
      row.push(cost);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
