/** Environments that completion offers: what follows `\begin{name}`, the start of the body, and an explanation. */

export interface EnvironmentEntry {
  name: string;
  /** Arguments, in CodeMirror's snippet syntax. */
  template: string;
  /** First line of the body. */
  body: string;
  explanation: string;
}

const table = String.raw`
itemize		\item #{}	Bulleted list
enumerate		\item #{}	Numbered list
description		\item[#{term}] #{}	List of terms
equation		#{}	Numbered formula
equation*		#{}	Unnumbered formula
align		#{a} &= #{b}	Aligned formulas, numbered
align*		#{a} &= #{b}	Aligned formulas, unnumbered
gather		#{}	Centred formulas, numbered
gather*		#{}	Centred formulas, unnumbered
multline		#{}	Formula broken over lines, numbered
split		#{a} &= #{b}	Formula broken over lines, inside equation
aligned		#{a} &= #{b}	Aligned lines inside a formula
cases		#{a} & #{condition} \\	Case distinction
matrix		#{a} & #{b} \\	Matrix without brackets
pmatrix		#{a} & #{b} \\	Matrix in parentheses
bmatrix		#{a} & #{b} \\	Matrix in brackets
vmatrix		#{a} & #{b} \\	Determinant
array	{#{cc}}	#{a} & #{b} \\	Columns inside a formula
tabular	{#{ll}}	#{a} & #{b} \\	Table
tabularx	{\linewidth}{#{lX}}	#{a} & #{b} \\	Table as wide as the line
longtable	{#{ll}}	#{a} & #{b} \\	Table that continues over pages
table	[htbp]	#{}	Floating table with a caption
figure	[htbp]	\centering\n\t\includegraphics[width=0.8\linewidth]{#{file}}\n\t\caption{#{caption}}	Floating picture with a caption
center		#{}	Centred
quote		#{}	Quotation
abstract		#{}	Summary
minipage	{#{0.5\linewidth}}	#{}	Column of a given width
multicols	{#{2}}	#{}	Several columns
verbatim		#{}	Verbatim text
lstlisting	[language=#{Python}]	#{}	Source code
proof		#{}	Proof
theorem		#{}	Theorem
lemma		#{}	Lemma
definition		#{}	Definition
example		#{}	Example
remark		#{}	Remark
tikzpicture		#{}	Drawing
tikzcd		#{A} \arrow[r, "#{f}"] & #{B}	Commutative diagram
axis		\addplot {#{x^2}};	Plot, inside tikzpicture
algorithm	[htbp]	#{}	Algorithm with a caption
algorithmic	[1]	\State #{}	Steps of an algorithm
thebibliography	{99}	\bibitem{#{key}} #{}	List of references
`;

export const environmentEntries: readonly EnvironmentEntry[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', template = '', body = '', explanation = ''] = line.split('\t');
    return { name, template, body: body.replaceAll('\\n', '\n').replaceAll('\\t', '\t'), explanation };
  });
