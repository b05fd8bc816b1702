/**
 * Documents with one fault each. `¶` marks the line where a person would look for it (several: any of them),
 * and is removed before compiling. Each exists in a short and a long version, with paragraphs before and after
 * the fault.
 */
import type { Engine } from '../typesetter.ts';

export interface BrokenDocument {
  name: string;
  engine: Engine;
  isLong: boolean;
  latex: string;
  /** Acceptable lines. Empty: the fault concerns the document as a whole, and has no line. */
  lines: number[];
  /** The level of the expected message. */
  level: 'error' | 'warning';
}

interface Variant {
  preamble?: string;
  body: string;
  engines?: Engine[];
  level?: 'warning';
  /** The body is the whole document. */
  isWhole?: boolean;
}

const e = (body: string, preamble = ''): Variant => ({ body, preamble });
const w = (body: string, preamble = ''): Variant => ({ body, preamble, level: 'warning' });
const p = (preamble: string): Variant => ({ body: 'Text.', preamble });
const only = (engine: Engine, variant: Variant): Variant => ({ ...variant, engines: [engine] });
const whole = (body: string): Variant => ({ body, isWhole: true });

const variants: Record<string, Variant> = {
  'typo in a Greek letter': e('Let $\\alhpa¶ = 1$.'),
  'typo in frac': e('Let $\\farc{1}{2}¶ = 1$.'),
  'typo in section': e('\\secton{One}¶'),
  'typo in textbf': e('Some \\textbg{bold}¶ words.'),
  'typo in includegraphics': e('\\includegrpahics{x}¶', '\\usepackage{graphicx}'),
  'typo in maketitle': e('\\maketitel¶', '\\title{A}\\author{B}'),
  'typo in item': e('\\begin{itemize}\n\\itme¶ one\n\\end{itemize}'),
  'unknown command': e('Some \\mycommandxyz¶ here.'),
  'unknown command with argument': e('Some \\qwertzuiop{x}¶ here.'),
  'case of a command': e('Some \\Textbf{bold}¶ words.'),
  'mathbb without package': e('The set $\\mathbb{R}¶$.'),
  'textcolor without package': e('Some \\textcolor{red}{red}¶ words.'),
  'url without package': e('See \\url{http://example.com}¶.'),
  'href without package': e('See \\href{http://example.com}{here}¶.'),
  'includegraphics without package': e('\\includegraphics{x}¶'),
  'dfrac without package': e('$\\dfrac{1}{2}¶$'),
  'toprule without package': e('\\begin{tabular}{l}\n\\toprule¶\na\\\\\n\\end{tabular}'),
  'multirow without package': e('\\begin{tabular}{l}\n\\multirow{2}{*}{a}¶\\\\\n b\\\\\n\\end{tabular}'),
  'SI without package': e('It is \\SI{3}{\\metre}¶ long.'),
  'cref without package': e('See \\cref{x}¶.'),
  'subcaption without package': e('\\begin{subfigure}{3cm}¶\nA\n\\end{subfigure}'),
  'align without package': e('\\begin{align}¶\na&=b\n\\end{align}'),
  'tikzpicture without package': e('\\begin{tikzpicture}¶\n\\end{tikzpicture}'),
  'lstlisting without package': e('\\begin{lstlisting}¶\nint x;\n\\end{lstlisting}'),
  'proof without package': e('\\begin{proof}¶\nClear.\n\\end{proof}'),
  'theorem without definition': e('\\begin{theorem}¶\nTrue.\n\\end{theorem}'),
  'multicols without package': e('\\begin{multicols}{2}¶\nText.\n\\end{multicols}'),
  'typo in an environment': e('\\begin{itemzie}¶\n\\item a\n\\end{itemzie}'),
  'typo in both of equation': e('\\begin{eqaution}¶\na\n\\end{eqaution}'),
  'typo in end': e('\\begin{center}\nText\n\\end{cetner}¶'),
  'unknown environment': e('\\begin{wxyzenv}¶\na\n\\end{wxyzenv}'),
  'environments crossed': e('\\begin{center}\n\\begin{quote}¶\na\n\\end{center}¶\n\\end{quote}'),
  'environment never closed': e('\\begin{itemize}¶\n\\item a\n\nMore text.'),
  'equation never closed': e('\\begin{equation}¶\na = b\n\nMore text.'),
  'environment never opened': e('Text.\n\\end{itemize}¶'),
  'align closed as equation': e('\\begin{align}¶\na &= b\n\\end{equation}¶', '\\usepackage{amsmath}'),
  'begin without its brace': e('\\begin{itemize¶\n\\item a\n\\end{itemize}'),
  'brace never closed': e('Some \\textbf{bold¶ words.\n\nMore text.'),
  'brace never closed in emph, same paragraph': e('Some \\emph{stressed¶ words\nand more.\n\nEnd.'),
  'brace never closed in section': e('\\section{Heading¶\nText of it.\n\nMore.'),
  'brace never closed in footnote': e('Word\\footnote{A note¶ without end.\n\nMore.'),
  'brace never closed in frac': e('$\\frac{1}{2¶$ and more.\n\nMore.'),
  'brace too many': e('Some text.}¶ More.'),
  'brace too many in a command': e('Some \\textbf{bold}}¶ words.'),
  'brace too many in maths': e('$a}¶ + b$'),
  'dollar never closed': e('Let $x = 1¶ be.\n\nMore.'),
  'dollar never opened': e('Let x_1¶ = 2 be.'),
  'caret in text': e('It is 10^5¶ times.'),
  'underscore in a name': e('The file my_file¶ is here.'),
  'Greek in text': e('The angle \\alpha¶ is small.'),
  'fraction in text': e('It is \\frac{1}{2}¶ of it.'),
  'sum in text': e('Take \\sum¶ of all.'),
  'display never closed': e('\\[ a = b¶\n\nMore.'),
  'display in display': e('\\[ a \\[¶ b \\]'),
  'display closed twice': e('\\[ a \\] \\]¶'),
  'double dollar closed by one': e('$$ a = b $¶ and'),
  'blank line in a formula': e('$a +¶\n¶\n¶b$'),
  'blank line in equation': e('\\begin{equation}\na¶\n¶\n¶b\n\\end{equation}'),
  'blank line in align': e('\\begin{align}\na&=b\\\\¶\n¶\n¶c&=d\n\\end{align}¶', '\\usepackage{amsmath}'),
  'text command in maths': e('$a \\textit¶ b \\section{x}¶$'),
  'double superscript': e('$x^2^3¶$'),
  'double subscript': e('$x_1_2¶$'),
  'double prime': e("$x'^2'¶$"),
  'left without right': e('$\\left( a + b¶$'),
  'right without left': e('$a + b \\right)¶$'),
  'left in another cell': e(
    '\\begin{align}\n\\left( a &= b¶ \\right)\n\\end{align}¶',
    '\\usepackage{amsmath}',
  ),
  'left without bracket': e('$\\left a¶ \\right)$'),
  'left before a bare brace': e('$\\left{ a¶ \\right}$'),
  'limits after a letter': e('$x\\limits_1¶$'),
  'ampersand in text': e('Cats & dogs¶ here.'),
  'hash in text': e('Number #1¶ is it.'),
  'ampersand too many': e('\\begin{tabular}{ll}\na & b & c¶ \\\\\n\\end{tabular}'),
  'ampersand too many in a matrix': e(
    '\\[\\begin{pmatrix}\n1&2&3&4&5&6&7&8&9&10&11¶\n\\end{pmatrix}\\]',
    '\\usepackage{amsmath}',
  ),
  'ampersand too many in cases': e('\\[\\begin{cases}\na & b & c¶\n\\end{cases}\\]', '\\usepackage{amsmath}'),
  'ampersand in equation': e('\\begin{equation}\na &= b¶\n\\end{equation}¶'),
  'hline in the middle of a row': e('\\begin{tabular}{ll}\na \\hline¶ & b\\\\\n\\end{tabular}'),
  'hline after a row without end': e('\\begin{tabular}{ll}\na & b\n\\hline¶\n\\end{tabular}'),
  'multicolumn late': e('\\begin{tabular}{ll}\nx \\multicolumn{2}{l}{b}¶\\\\\n\\end{tabular}'),
  'column letter unknown': e('\\begin{tabular}{lz}¶\na & b\\\\\n\\end{tabular}'),
  'X column in tabular': e('\\begin{tabular}{lX}¶\na & b\\\\\n\\end{tabular}'),
  'p column without width': e('\\begin{tabular}{lp}¶\na & b\\\\\n\\end{tabular}'),
  'tabular without columns': e('\\begin{tabular}¶\na & b\\\\¶\n\\end{tabular}'),
  'tabularx without width': e(
    '\\begin{tabularx}{lX}¶\na & b\\\\\n\\end{tabularx}¶',
    '\\usepackage{tabularx}',
  ),
  'tabular never closed': e('\\begin{tabular}{ll}¶\na & b\\\\\n\nMore text.'),
  'item missing': e('\\begin{itemize}\nText¶ first.\n\\item a\n\\end{itemize}'),
  'list empty': e('\\begin{itemize}\n\\end{itemize}¶'),
  'item outside of a list': e('\\item¶ lonely'),
  'lists too deep': e(
    `${'\\begin{itemize}\\item a\n'.repeat(4)}\\begin{itemize}¶\\item a\n${'\\end{itemize}\n'.repeat(5)}`,
  ),
  'line break with no line': e('\\begin{center}\n\\\\¶ Text\n\\end{center}'),
  'line break after a paragraph': e('Text.\n\n\\\\¶\n\nMore.'),
  'reference undefined': w('See section~\\ref{sec:none}¶.'),
  'eqref undefined': w('See \\eqref{eq:none}¶.', '\\usepackage{amsmath}'),
  'reference with a typo': w('\\section{A}\\label{sec:intro}\nSee \\ref{sec:itnro}¶.'),
  'citation undefined': w('As in \\cite{knuth}¶.'),
  'label twice': w('\\section{A}\\label{x}\n\\section{B}\\label{x}¶'),
  'picture missing': e('\\includegraphics{missing-picture.png}¶', '\\usepackage{graphicx}'),
  'picture missing, in a figure': e(
    '\\begin{figure}\n\\centering\n\\includegraphics[width=3cm]{plots/result}¶\n\\caption{A}\n\\end{figure}',
    '\\usepackage{graphicx}',
  ),
  'picture option wrong': e('\\includegraphics[widht=3cm]{example-image}¶', '\\usepackage{graphicx}'),
  'input missing': e('Before.\n\\input{chapter1}¶\nAfter.'),
  'package missing': p('\\usepackage{nosuchpackagexyz}¶'),
  'package misspelt': p('\\usepackage{asmmath}¶'),
  'package geometry misspelt': p('\\usepackage[margin=2cm]{goemetry}¶'),
  'class missing': whole('\\documentclass{nosuchclassxyz}¶\n\\begin{document}\nText.\n\\end{document}'),
  'class misspelt': whole('\\documentclass{artcle}¶\n\\begin{document}\nText.\n\\end{document}'),
  'option clash': p('\\usepackage[dvipsnames]{xcolor}\n\\usepackage[table]{xcolor}¶'),
  'option unknown': p('\\usepackage[nosuchoption]{amsmath}¶'),
  'option of geometry unknown': p('\\usepackage[nosuchkey=1cm]{geometry}¶'),
  'language unknown': p('\\usepackage[klingon]{babel}¶'),
  'colour unknown': e('\\textcolor{bluish}{x}¶', '\\usepackage{xcolor}'),
  'length without unit': e('\\vspace{2}¶ Text.'),
  'unit unknown': e('\\hspace{2xm}¶ Text.'),
  'length not a number': e('\\setlength{\\parindent}{abc}¶ Text.'),
  'dimension too large': e('\\hspace{99999cm}¶ Text.'),
  'number missing': e('\\setcounter{page}{}¶ Text.'),
  'counter unknown': e('\\setcounter{nosuchcounter}{2}¶ Text.'),
  'counter too large for letters': e('\\setcounter{section}{30}\\Alph{section}¶'),
  'command defined twice': p('\\newcommand{\\section}{x}¶'),
  'renewcommand of nothing': p('\\renewcommand{\\mynothing}{x}¶'),
  'environment defined twice': p('\\newenvironment{center}{a}{b}¶'),
  'command calls itself': e('\\loopxx¶ Text.', '\\newcommand{\\loopxx}{a\\loopxx}'),
  'wrong use of a definition': e('\\pairxx(1¶)\n\nMore.', '\\def\\pairxx(#1,#2){#1}'),
  'parameter number': p('\\newcommand{\\twoxx}[1]{#1 #2}¶'),
  'text before begin document': p('Some text too early.¶'),
  'no begin document': whole('\\documentclass{article}\nText.¶\n\\end{document}'),
  'no end document': whole('\\documentclass{article}\n\\begin{document}\nText.¶\n'),
  'usepackage after begin': e('\\usepackage{amsmath}¶\nText.'),
  'verb in an argument': e('\\textbf{see \\verb|x|¶ here}'),
  'verb in footnote': e('Text\\footnote{a \\verb|x_y|¶ b}.'),
  'verb without end': e('See \\verb|x¶ here.\n\nMore.'),
  'verbatim never closed': e('\\begin{verbatim}¶\nx\n\nMore text.'),
  'fragile command in caption': e(
    '\\begin{figure}\n\\caption{A \\footnotemark[1] \\(x\\) \\begin{tabular}{l}a\\end{tabular} \\nosuchfragile}¶\n\\end{figure}',
  ),
  'caption outside of a float': e('\\caption{A}¶ Text.'),
  'figure in a box': e('\\fbox{\\begin{figure}a\\end{figure}}¶'),
  'footnote mark missing number': e('A\\footnotemark[x]¶ b.'),
  'TikZ without semicolon': e(
    '\\begin{tikzpicture}\n\\draw (0,0) -- (1,1)¶\n\\draw (1,0) -- (0,1);¶\n\\end{tikzpicture}¶',
    '\\usepackage{tikz}',
  ),
  'TikZ key unknown': e(
    '\\begin{tikzpicture}\n\\draw[colour=red]¶ (0,0) -- (1,1);¶\n\\end{tikzpicture}',
    '\\usepackage{tikz}',
  ),
  'TikZ node unknown': e(
    '\\begin{tikzpicture}\n\\draw (a) -- (1,1);¶\n\\end{tikzpicture}',
    '\\usepackage{tikz}',
  ),
  'TikZ library missing': e(
    '\\begin{tikzpicture}\n\\node[below=of a]¶ {x};¶\n\\node[diamond] {y};¶\n\\end{tikzpicture}',
    '\\usepackage{tikz}',
  ),
  'siunitx unit unknown': e('\\SI{3}{\\nosuchunit}¶', '\\usepackage{siunitx}'),
  'siunitx number wrong': e('\\num{abc}¶', '\\usepackage{siunitx}'),
  'hyperref formula in heading': { ...w('\\section{On $\\alpha$}¶', '\\usepackage{hyperref}') },
  'hyperref option unknown': p('\\usepackage{hyperref}\n\\hypersetup{nosuchoption=true}¶'),
  'enumitem key unknown': e(
    '\\begin{itemize}[nosuchkey=1]¶\n\\item a\n\\end{itemize}',
    '\\usepackage{enumitem}',
  ),
  minted: p('\\usepackage{minted}¶'),
  'biblatex resource': e('As in \\cite{knuth}.', '\\usepackage{biblatex}¶\\addbibresource{refs.bib}'),
  'fontspec font missing': only('xelatex', p('\\usepackage{fontspec}\n\\setmainfont{No Such Font}¶')),
  'fontspec under pdflatex': only('pdflatex', p('\\usepackage{fontspec}¶\n\\setmainfont{TeX Gyre Termes}')),
  'unicode-math under pdflatex': only('pdflatex', p('\\usepackage{unicode-math}¶')),
  'polyglossia under pdflatex': only(
    'pdflatex',
    p('\\usepackage{polyglossia}¶\n\\setdefaultlanguage{french}¶'),
  ),
  'pdfoutput under xelatex': only('xelatex', p('\\pdfcompresslevel=9¶')),
  'pdfinfo under xelatex': only('xelatex', p('\\pdfinfo{/Title (x)}¶')),
  'Unicode sign under pdflatex': only('pdflatex', e('If a ≤ b¶ then.')),
  'Greek letter under pdflatex': only('pdflatex', e('The angle α¶ is.')),
  'Chinese under pdflatex': only('pdflatex', e('Word 中¶ here.')),
  'Chinese under xelatex': only('xelatex', w('Word 中¶ here.')),
  'emoji under xelatex': only('xelatex', w('Word 😀¶ here.')),
  'Lua code': e('\\directlua{tex.print("x")}¶'),
  'shell escape': e('\\immediate\\write18{ls}\\nosuchcommandafter¶'),
  'tabbing without begin': e('a \\= b \\> c¶\n\n\\kill¶'),
  'missing title': e('\\maketitle¶'),
  'includeonly in text': e('\\includeonly{a}¶ Text.'),
  'math accent in text': e('The mean is \\bar{x}¶ here.'),
  'mathrm in text': e('The \\mathrm{d}¶ here.'),
  'equation in align': e(
    '\\begin{align}\n\\begin{equation}¶\na\n\\end{equation}\n\\end{align}¶',
    '\\usepackage{amsmath}',
  ),
  'tag twice': e('\\begin{equation}\na \\tag{1} \\tag{2}¶\n\\end{equation}¶', '\\usepackage{amsmath}'),
  'intertext outside': e('Text \\intertext{x}¶.', '\\usepackage{amsmath}'),
  'qedhere outside': e('\\begin{wrapfigure}{r}{3cm}¶\nA\n\\end{wrapfigure}'),
};

const head = (engine: Engine, preamble: string) =>
  `${engine === 'pdflatex' ? '% !TEX program = pdflatex\n' : ''}\\documentclass{article}\n${preamble ? `${preamble}\n` : ''}\\begin{document}\n`;
const filler = Array.from(
  { length: 24 },
  (_, n) =>
    `Paragraph ${n + 1} of quiet text, with a formula $a_{${n}} + b^2$ and \\emph{some stress},\nover two lines.\n`,
).join('\n');

export function brokenDocuments(): BrokenDocument[] {
  const documents: BrokenDocument[] = [];
  for (const [name, variant] of Object.entries(variants))
    for (const engine of variant.engines ?? (['xelatex', 'pdflatex'] as const))
      for (const isLong of [false, true]) {
        if (variant.isWhole && isLong) continue;
        const marked = variant.isWhole
          ? `${engine === 'pdflatex' ? '% !TEX program = pdflatex\n' : ''}${variant.body}`
          : isLong
            ? `${head(engine, variant.preamble ?? '')}${filler}\n${variant.body}\n\n${filler}\n\\end{document}\n`
            : `${head(engine, variant.preamble ?? '')}${variant.body}\n\\end{document}\n`;
        const lines = marked.split('\n').flatMap((line, index) => (line.includes('¶') ? [index + 1] : []));
        const latex = marked.replaceAll('¶', '');
        documents.push({ name, engine, isLong, latex, lines, level: variant.level ?? 'error' });
      }
  return documents;
}
