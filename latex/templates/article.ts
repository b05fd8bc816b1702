export const article = String.raw`% !TEX program = xelatex
\documentclass[11pt,a4paper]{article}
\usepackage[margin=2.8cm]{geometry}
\usepackage{amsmath,amssymb}
\usepackage{graphicx}
\usepackage{tikz}
\usepackage{booktabs}
\usepackage{microtype}
\usepackage[hidelinks]{hyperref}

\title{The period of a pendulum}
\author{Your name}
\date{\today}

\begin{document}
\maketitle

\begin{abstract}
  \noindent For small swings the period of a pendulum does not depend on how far it swings. We
  measure where that stops being true.
\end{abstract}

\section{Introduction}

For small angles a pendulum of length $\ell$ has the period
\begin{equation}\label{eq:small}
  T_0=2\pi\sqrt{\frac{\ell}{g}} .
\end{equation}
Equation~\eqref{eq:small} leaves out that $\sin\theta\ne\theta$; how much that matters is shown
in Table~\ref{tab:periods}. The measurement is described in many textbooks~\cite{mechanics}.

\section{Method}

The angle $\theta$ is measured from the vertical as in Figure~\ref{fig:pendulum}.

\begin{figure}[htb]
  \centering
  \begin{tikzpicture}[scale=1.1]
    \draw (-1.2,0) -- (1.2,0);
    \draw[dashed] (0,0) -- (0,-2.4);
    \draw[thick] (0,0) -- node[right] {$\ell$} (1.2,-2.1);
    \fill (1.2,-2.1) circle (3pt);
    \draw (0,-0.9) arc (-90:-60.3:0.9);
    \node at (0.28,-1.15) {$\theta$};
  \end{tikzpicture}
  \caption{The pendulum.}
  \label{fig:pendulum}
\end{figure}

\section{Results}

\begin{table}[htb]
  \centering
  \caption{Periods relative to $T_0$, from the series
    $1+\frac{1}{16}\theta^2+\frac{11}{3072}\theta^4$.}
  \label{tab:periods}
  \medskip
  \begin{tabular}{rcc}
    \toprule
    Angle & $T/T_0$ & Difference\\
    \midrule
    $10^\circ$ & 1.002 & 0.2\,\%\\
    $30^\circ$ & 1.017 & 1.7\,\%\\
    $60^\circ$ & 1.073 & 7.3\,\%\\
    \bottomrule
  \end{tabular}
\end{table}

\section{Conclusion}

Below $10^\circ$ the simple formula is good enough for a stopwatch.

\begin{thebibliography}{9}
  \bibitem{mechanics} A. Author, \emph{A Textbook of Mechanics}, 2nd edition, 2020.
\end{thebibliography}

\end{document}
`;
