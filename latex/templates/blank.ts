export const blank = String.raw`% !TEX program = xelatex
\documentclass[11pt,a4paper]{article}
\usepackage[margin=2.5cm]{geometry}
\usepackage{amsmath,amssymb,amsthm}
\usepackage{graphicx}

\begin{document}

\section*{Notes}

Write here.

\end{document}
`;
