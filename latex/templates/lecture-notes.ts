export const lectureNotes = String.raw`% !TEX program = xelatex
\documentclass[11pt,a4paper]{article}
\usepackage[margin=2.5cm,headheight=14pt]{geometry}
\usepackage{amsmath,amssymb,amsthm,mathtools}
\usepackage{enumitem}
\usepackage{fancyhdr}
\usepackage[hidelinks]{hyperref}

\newcommand{\course}{Analysis I}
\newcommand{\lecture}{Lecture 1: limits of sequences}

\pagestyle{fancy}
\fancyhf{}
\lhead{\course}
\rhead{\lecture}
\cfoot{\thepage}

\theoremstyle{plain}
\newtheorem{theorem}{Theorem}[section]
\newtheorem{lemma}[theorem]{Lemma}
\newtheorem{corollary}[theorem]{Corollary}
\theoremstyle{definition}
\newtheorem{definition}[theorem]{Definition}
\newtheorem{example}[theorem]{Example}
\theoremstyle{remark}
\newtheorem*{remark}{Remark}

\newcommand{\N}{\mathbb{N}}
\newcommand{\R}{\mathbb{R}}
\DeclarePairedDelimiter{\abs}{\lvert}{\rvert}

\title{\course\\[2pt] \large \lecture}
\author{Your name}
\date{\today}

\begin{document}
\maketitle
\tableofcontents

\section{Convergence}

\begin{definition}[Limit of a sequence]\label{def:limit}
  A sequence $(a_n)_{n\in\N}$ of real numbers \emph{converges} to $a\in\R$ if for every
  $\varepsilon>0$ there is an $n_0\in\N$ such that
  \[
    \abs{a_n-a}<\varepsilon \qquad\text{for all } n\ge n_0 .
  \]
  We write $\lim_{n\to\infty}a_n=a$.
\end{definition}

\begin{example}
  The sequence $a_n=\frac1n$ converges to $0$: given $\varepsilon>0$, take any
  $n_0>\frac1\varepsilon$.
\end{example}

\begin{theorem}[Uniqueness]\label{thm:unique}
  A sequence has at most one limit.
\end{theorem}
\begin{proof}
  Suppose that $a_n\to a$ and $a_n\to b$. For every $\varepsilon>0$ and all large $n$,
  \begin{equation}\label{eq:triangle}
    \abs{a-b}\le\abs{a-a_n}+\abs{a_n-b}<2\varepsilon .
  \end{equation}
  By~\eqref{eq:triangle} the number $\abs{a-b}$ is smaller than every positive one, so $a=b$.
\end{proof}

\begin{remark}
  Definition~\ref{def:limit} does not say how to find the limit. Theorem~\ref{thm:unique} says
  that there is only one to be found.
\end{remark}

\section{To be continued}

Questions to take to the next lecture:
\begin{itemize}[nosep]
  \item Does every bounded sequence converge?
  \item What can be said of $a_n+b_n$ and $a_n b_n$?
\end{itemize}

\end{document}
`;
