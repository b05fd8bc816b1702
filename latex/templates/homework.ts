export const homework = String.raw`% !TEX program = xelatex
\documentclass[11pt,a4paper]{article}
\usepackage[margin=2.5cm,headheight=14pt]{geometry}
\usepackage{amsmath,amssymb,amsthm}
\usepackage{enumitem}
\usepackage{fancyhdr}

\newcommand{\course}{Linear Algebra}
\newcommand{\sheet}{Sheet 3}
\newcommand{\student}{Your name}

\pagestyle{fancy}
\fancyhf{}
\lhead{\course}
\chead{\sheet}
\rhead{\student}
\cfoot{\thepage}

\theoremstyle{definition}
\newtheorem{exercise}{Exercise}
\newenvironment{solution}{\begin{proof}[Solution]}{\end{proof}}

\begin{document}

\begin{exercise}
  Let $A=\begin{pmatrix} 2 & 1\\ 1 & 2 \end{pmatrix}$.
  \begin{enumerate}[label=(\alph*)]
    \item Find the eigenvalues of $A$.
    \item Find a basis of eigenvectors.
  \end{enumerate}
\end{exercise}
\begin{solution}
  \begin{enumerate}[label=(\alph*)]
    \item The characteristic polynomial is
      \[
        \det(A-\lambda I)=(2-\lambda)^2-1=(\lambda-1)(\lambda-3),
      \]
      so the eigenvalues are $1$ and $3$.
    \item From $(A-I)v=0$ we get $v_1=(1,-1)^{\top}$, from $(A-3I)v=0$ we get $v_2=(1,1)^{\top}$.
      \qedhere
  \end{enumerate}
\end{solution}

\begin{exercise}
  Show that eigenvectors of a symmetric matrix for different eigenvalues are orthogonal.
\end{exercise}
\begin{solution}
  Let $Av=\lambda v$ and $Aw=\mu w$ with $\lambda\ne\mu$. Then
  \begin{align*}
    \lambda\langle v,w\rangle &= \langle Av,w\rangle=\langle v,Aw\rangle\\
    &= \mu\langle v,w\rangle ,
  \end{align*}
  and so $\langle v,w\rangle=0$.
\end{solution}

\end{document}
`;
