export const letter = String.raw`% !TEX program = xelatex
\documentclass[11pt,a4paper]{letter}
\usepackage[margin=2.8cm]{geometry}

\signature{Your name}
\address{Your name\\ 12 Example Street\\ 12345 Town}
\date{\today}

\begin{document}

\begin{letter}{Examination Office\\ Example University\\ 1 Campus Road\\ 12345 Town}

\opening{\textbf{Request to look at my exam}\\[\medskipamount] Dear Sir or Madam,}

I took the exam in Calculus II on 12 February. Please let me know when I may look at my marked
paper. I am free on Tuesdays and Thursdays after 2 p.m.

Could you also tell me by when a second marking has to be asked for?

\closing{Yours faithfully,}

\encl{Copy of my student card}

\end{letter}

\end{document}
`;
