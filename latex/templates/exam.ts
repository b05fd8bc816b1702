export const exam = String.raw`% !TEX program = xelatex
\documentclass[11pt,a4paper,addpoints]{exam}
\usepackage[margin=2.5cm,headheight=14pt,includehead]{geometry}
\usepackage{amsmath,amssymb}
% Take the % away to print the solutions:
% \printanswers

\pagestyle{headandfoot}
\runningheadrule
\firstpageheader{}{}{}
\runningheader{Calculus II}{}{Final exam}
\firstpagefooter{}{\thepage}{}
\runningfooter{}{\thepage}{}

\begin{document}

\begin{center}
  {\Large\bfseries Calculus II: final exam}\\[4pt]
  90 minutes, \numpoints{} points, no calculators
\end{center}

\noindent
Name: \makebox[0.55\textwidth]{\hrulefill}\hfill Number: \makebox[0.22\textwidth]{\hrulefill}

\bigskip
\begin{center}
  \gradetable[h][questions]
\end{center}

\begin{questions}

\question[4] Compute the limit
\[
  \lim_{x\to 0}\frac{1-\cos x}{x^{2}} .
\]
\begin{solutionorbox}[2.8cm]
  Multiplying by $1+\cos x$ gives
  $\dfrac{\sin^2 x}{x^2}\cdot\dfrac{1}{1+\cos x}\to\dfrac12$.
\end{solutionorbox}

\question Let $f(x)=x\,e^{-x}$.
\begin{parts}
  \part[3] Find all extrema of $f$.
  \begin{solutionorbox}[2.2cm]
    $f'(x)=(1-x)e^{-x}$ changes its sign at $x=1$ only: a maximum with value $e^{-1}$.
  \end{solutionorbox}
  \part[3] Compute $\displaystyle\int_0^{\infty}f(x)\,\mathrm{d}x$.
  \begin{solutionorbox}[2.2cm]
    By parts, $\bigl[-xe^{-x}\bigr]_0^\infty+\int_0^\infty e^{-x}\,\mathrm{d}x=1$.
  \end{solutionorbox}
\end{parts}

\question[5] True or false? Give a reason or a counterexample.
\begin{parts}
  \part Every continuous function on $[0,1]$ has an antiderivative.
  \part If $a_n\to0$, then $\sum_n a_n$ converges.
\end{parts}
\begin{solutionorbox}[2.8cm]
  True: $F(x)=\int_0^x f(t)\,\mathrm{d}t$. False: $a_n=\frac1n$.
\end{solutionorbox}

\end{questions}

\end{document}
`;
