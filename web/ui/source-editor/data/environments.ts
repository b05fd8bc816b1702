/** Environments that completion offers: what follows `\begin{name}`, what it starts with, and a few words. */

export interface EnvironmentEntry {
  name: string;
  /** Arguments, in CodeMirror's snippet language. */
  template: string;
  /** First line of its body. */
  body: string;
  explanation: string;
}

const table = String.raw`
itemize		\item #{}	List with bullets
enumerate		\item #{}	List with numbers
description		\item[#{term}] #{}	List of terms
equation		#{}	Formula with a number
equation*		#{}	Formula without a number
align		#{a} &= #{b}	Formulas under each other, with numbers
align*		#{a} &= #{b}	Formulas under each other, without numbers
gather		#{}	Centred formulas, with numbers
gather*		#{}	Centred formulas, without numbers
multline		#{}	Long formula over lines, with a number
split		#{a} &= #{b}	Formula over lines, inside equation
aligned		#{a} &= #{b}	Aligned lines inside a formula
cases		#{a} & #{condition} \\	Case distinction
matrix		#{a} & #{b} \\	Matrix without brackets
pmatrix		#{a} & #{b} \\	Matrix in parentheses
bmatrix		#{a} & #{b} \\	Matrix in brackets
vmatrix		#{a} & #{b} \\	Determinant
array	{#{cc}}	#{a} & #{b} \\	Columns inside a formula
tabular	{#{ll}}	#{a} & #{b} \\	Table
tabularx	{\linewidth}{#{lX}}	#{a} & #{b} \\	Table as wide as the line
longtable	{#{ll}}	#{a} & #{b} \\	Table over pages
table	[htbp]	#{}	Table with a caption, moved where it fits
figure	[htbp]	\centering\n\t\includegraphics[width=0.8\linewidth]{#{file}}\n\t\caption{#{caption}}	Picture with a caption, moved where it fits
center		#{}	Centred
quote		#{}	Quotation
abstract		#{}	Summary
minipage	{#{0.5\linewidth}}	#{}	Column of its own width
multicols	{#{2}}	#{}	Several columns
verbatim		#{}	Text as it is
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
