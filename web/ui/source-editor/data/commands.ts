/**
 * Commands that completion offers with a template and an explanation: name, template of what follows it, explanation.
 */

export interface CommandEntry {
  name: string;
  /** What follows the name, in CodeMirror's snippet syntax. */
  template: string;
  explanation: string;
}

const table = String.raw`
section	{#{title}}	Heading of the first level
subsection	{#{title}}	Heading of the second level
subsubsection	{#{title}}	Heading of the third level
paragraph	{#{title}}	Heading that runs into its paragraph
chapter	{#{title}}	Chapter of a book or report
part	{#{title}}	Part of a document
title	{#{title}}	Title of the document
author	{#{name}}	Who wrote it
date	{#{date}}	Its date; \today for today's
maketitle		Sets title, author and date
tableofcontents		List of all headings
documentclass	{#{article}}	What kind of document this is
usepackage	{#{package}}	Loads a package
newcommand	{\#{name}}{#{definition}}	Defines a command of your own
renewcommand	{\#{name}}{#{definition}}	Redefines a command
DeclareMathOperator	{\#{name}}{#{text}}	Defines an operator with upright letters
newtheorem	{#{name}}{#{Title}}	Defines a theorem environment
input	{#{file}}	Puts another file here
label	{#{key}}	Names this place for references
ref	{#{key}}	Number of a labelled place
eqref	{#{key}}	Number of an equation, in parentheses
pageref	{#{key}}	Page of a labelled place
autoref	{#{key}}	Number with its kind: Section 2
cref	{#{key}}	Number with its kind, from cleveref
cite	{#{key}}	Cites an entry of the bibliography
bibitem	{#{key}}	Entry of the bibliography
footnote	{#{text}}	Note at the foot of the page
caption	{#{text}}	Caption of a figure or table
includegraphics	[width=#{0.8\linewidth}]{#{file}}	Puts a picture here
href	{#{address}}{#{text}}	Link with words
url	{#{address}}	Address as a link
item		Next entry of a list
textbf	{#{text}}	Bold
textit	{#{text}}	Italic
textsc	{#{text}}	Small capitals
texttt	{#{text}}	Typewriter
textsf	{#{text}}	Sans serif
emph	{#{text}}	Emphasis
underline	{#{text}}	Underlined
textcolor	{#{colour}}{#{text}}	Coloured words
centering		Centres what follows in the group
hline		Line across a table
toprule		Top line of a table, from booktabs
midrule		Middle line of a table, from booktabs
bottomrule		Bottom line of a table, from booktabs
multicolumn	{#{columns}}{#{c}}{#{text}}	Cell over several columns
multirow	{#{rows}}{*}{#{text}}	Cell over several rows
vspace	{#{1em}}	Space downwards
hspace	{#{1em}}	Space sideways
newpage		Goes on with a new page
noindent		No indent for this paragraph
today		Date of today
verb	|#{text}|	Verbatim text
frac	{#{numerator}}{#{denominator}}	Fraction
dfrac	{#{numerator}}{#{denominator}}	Fraction at display size
tfrac	{#{numerator}}{#{denominator}}	Small fraction
binom	{#{n}}{#{k}}	Binomial coefficient
sqrt	{#{x}}	Square root
sum	_{#{i=1}}^{#{n}}	Sum
prod	_{#{i=1}}^{#{n}}	Product
int	_{#{a}}^{#{b}}	Integral
iint		Double integral
oint		Integral round a closed path
lim	_{#{x \to 0}}	Limit
left	(#{x}\right)	Parentheses that grow
text	{#{text}}	Words inside a formula
mathbb	{#{R}}	Blackboard bold: sets of numbers
mathbf	{#{x}}	Bold in a formula
mathcal	{#{A}}	Calligraphic
mathfrak	{#{g}}	Fraktur
mathrm	{#{x}}	Upright in a formula
mathscr	{#{A}}	Script letters
boldsymbol	{#{x}}	Bold, Greek too
operatorname	{#{name}}	Operator with upright letters
hat	{#{x}}	Hat
widehat	{#{x}}	Wide hat
bar	{#{x}}	Bar
overline	{#{x}}	Line over
tilde	{#{x}}	Tilde
vec	{#{v}}	Arrow over
dot	{#{x}}	Dot: derivative by time
ddot	{#{x}}	Two dots
overbrace	{#{x}}^{#{n}}	Brace over
underbrace	{#{x}}_{#{n}}	Brace under
overset	{#{above}}{#{x}}	Puts something over
underset	{#{below}}{#{x}}	Puts something under
stackrel	{#{above}}{#{=}}	Puts something over a relation
substack	{#{a \\ b}}	Several lines under a sum
xrightarrow	{#{above}}	Arrow with words over it
cancel	{#{x}}	Struck through
boxed	{#{x}}	In a box
tag	{#{1}}	Number of your own for an equation
nonumber		No number for this line
qty	{#{5}}{#{\metre}}	Quantity with its unit, from siunitx
SI	{#{5}}{#{\metre}}	Quantity with its unit, older siunitx
ce	{#{H2O}}	Chemical formula, from mhchem
dv	{#{f}}{#{x}}	Derivative, from physics
pdv	{#{f}}{#{x}}	Partial derivative, from physics
`;

export const commandEntries: readonly CommandEntry[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', template = '', explanation = ''] = line.split('\t');
    return { name, template, explanation };
  });
