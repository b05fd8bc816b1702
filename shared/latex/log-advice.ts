/** TeX's messages in plain words, and what to do about them where a rule can tell. First rule that matches speaks. */
import { isCommandName } from './log-names.ts';
import {
  type Advice,
  adviseMissingCharacter,
  adviseMissingFile,
  adviseUndefined,
  adviseUnknownEnvironment,
  type Complaint,
  lastCommand,
  replacements,
} from './log-suggest.ts';

interface Rule {
  pattern: RegExp;
  advise: (match: RegExpExecArray, complaint: Complaint) => Advice;
}

/** Plain words for a message; empty when no rule knows it. */
export function advise(complaint: Complaint): Advice {
  for (const { pattern, advise: speak } of rules) {
    const match = pattern.exec(complaint.message);
    if (match) return speak(match, complaint);
  }
  return {};
}

const say = (explanation: string, suggestion?: string): (() => Advice) => {
  const advice: Advice = suggestion ? { explanation, suggestion } : { explanation };
  return () => advice;
};

const forgottenBrace = 'A brace { was opened and never closed.';

const rules: Rule[] = [
  { pattern: /^Undefined control sequence/, advise: (_, complaint) => adviseUndefined(complaint) },
  { pattern: /Environment (\S+) undefined/, advise: (match) => adviseUnknownEnvironment(match[1]!) },
  {
    pattern: /^Missing \$ inserted/,
    advise: (_, { context, before }) => {
      const command = lastCommand(before);
      const explanation =
        'Something here belongs in mathematics, but no $ opened it; or a formula ran into an empty line or the end of its paragraph.';
      if (command && isCommandName(command))
        return { explanation, suggestion: `Put the formula between dollar signs, as in $\\${command}$.` };
      if (/[_^]/.test(context))
        return {
          explanation,
          suggestion: 'Put the formula between dollar signs; in plain text write \\_ for _ and \\^{} for ^.',
        };
      return {
        explanation,
        suggestion: 'Put the formula between dollar signs, and leave no empty line inside it.',
      };
    },
  },
  {
    pattern: /^(?:Too many }'s|Extra }, or forgotten \\endgroup)/,
    advise: say('A closing brace } has no opening brace.', 'Remove this }, or add the { it closes.'),
  },
  {
    pattern: /^Extra }, or forgotten \\right/,
    advise: say(
      'A \\left stands in one cell or row of an alignment and its \\right in another.',
      'Close it with \\right. before the & or \\\\, and begin the next part with \\left. .',
    ),
  },
  {
    pattern: /Illegal character in array arg|Illegal pream-token/,
    advise: say(
      'A letter of the column specification is unknown.',
      'Use l, c, r, p{width} and |; X needs the environment tabularx.',
    ),
  },
  {
    pattern: /Missing p-arg in array arg/,
    advise: say('A column p has no width.', 'Write p{3cm}, or use l.'),
  },
  {
    pattern: /Unable to load picture or PDF file '(.+?)'|Package \S+ Error: File `(.+?)' not found/,
    advise: (match) => adviseMissingFile((match[1] ?? match[2])!),
  },
  {
    pattern:
      /Package (?:keyval|kvsetkeys|enumitem|xkeyval|caption|hyperref|listings|siunitx|geometry|kvoptions) Error: (?:Undefined key )?[`'"]?([\w\s-]+?)['"]? ?(?:undefined|\.|$)/,
    advise: (match) => ({
      explanation: `No option is called ${match[1]} here.`,
      suggestion: `Check the spelling of ${match[1]}, or remove it.`,
    }),
  },
  {
    pattern: /Unknown option [`'](.+?)' for (?:package|class) [`'](.+?)'/,
    advise: (match) => ({
      explanation: `${match[2]} has no option ${match[1]}.`,
      suggestion: `Check its spelling, or remove ${match[1]}.`,
    }),
  },
  {
    pattern: /^Dimension too large/,
    advise: say(
      'A length is beyond what TeX can measure (5.7 m).',
      'Use a smaller length; in plots, scale the numbers down.',
    ),
  },
  {
    pattern: /No counter '(.+?)' defined/,
    advise: (match) => ({
      explanation: `No counter is called ${match[1]}.`,
      suggestion: `Check its spelling, or define it with \\newcounter{${match[1]}}.`,
    }),
  },
  {
    pattern: /^Illegal parameter number/,
    advise: say(
      'A definition uses an argument (#2, say) that it does not declare.',
      'Raise the number in brackets, as in \\newcommand{\\name}[2]{…}, or write ## in a definition inside another.',
    ),
  },
  {
    pattern: /^Use of (\S+) doesn't match its definition/,
    advise: (match) => ({
      explanation: `What follows ${match[1]} is not what its definition demands.`,
      suggestion: `Compare it with where ${match[1]} is defined; a formula or command in a title may need \\protect before it.`,
    }),
  },
  {
    pattern: /\\caption outside float/,
    advise: say(
      '\\caption works only inside a figure or table.',
      'Put it into one, or use \\captionof{figure}{…} of the package caption.',
    ),
  },
  {
    pattern: /No shape named [`'](.+?)' is known/,
    advise: (match) => ({
      explanation: `No TikZ node is called ${match[1]}.`,
      suggestion: `Name the node before it is used: \\node (${match[1]}) {…};`,
    }),
  },
  {
    pattern: /Unknown function `of'/,
    advise: say(
      'Placing nodes with “below=of …” needs a TikZ library.',
      'Add \\usetikzlibrary{positioning} to the preamble.',
    ),
  },
  {
    pattern: /Package PGF Math Error/,
    advise: say('TikZ cannot calculate this.', 'Check the numbers and names in the coordinates.'),
  },
  {
    pattern: /Invalid number '(.*?)'/,
    advise: (match) => ({
      explanation: `siunitx cannot read “${match[1]}” as a number.`,
      suggestion: 'Write digits, a decimal point and an exponent as in 1.5e3; text belongs outside.',
    }),
  },
  {
    pattern: /^hyperref: Token not allowed in a PDF string/,
    advise: say(
      'A heading holds a formula or command, which the PDF’s bookmarks cannot show; the page itself is right.',
      'Give both: \\texorpdfstring{$\\alpha$}{alpha}.',
    ),
  },
  {
    pattern: /Cannot be run with pdftex|requires (?:either )?(?:XeTeX|LuaTeX|XeLaTeX)/i,
    advise: say(
      'This package does not work with pdfLaTeX.',
      'Compile with xelatex: remove the line % !TEX program = pdflatex.',
    ),
  },
  {
    pattern: /No \\title given/,
    advise: say('\\maketitle needs a title.', 'Add \\title{…} before \\begin{document}.'),
  },
  {
    pattern: /Multiple \\tag/,
    advise: say('A formula can have one \\tag only.', 'Remove the other.'),
  },
  {
    pattern: /Invalid use of (\\\S+?)\.?$/,
    advise: (match) => ({
      explanation: `${match[1]} works only inside a display such as align.`,
      suggestion: 'Move it there, or write the text outside of formulas.',
    }),
  },
  {
    pattern: /^Extra }, or forgotten \$/,
    advise: say(
      'A closing brace } stands inside a formula that has no opening one, or the formula’s $ is missing.',
      'Balance the braces, or close the formula with $ before the }.',
    ),
  },
  { pattern: /^Missing } inserted/, advise: say(forgottenBrace, 'Add the missing } before this place.') },
  {
    pattern: /^Missing { inserted/,
    advise: say('TeX expected an opening brace { here.', 'Put the argument in braces: {…}.'),
  },
  {
    pattern: /^File ended while scanning use of (\S+?)\s*\.?$/,
    advise: (match, { runaway }) => {
      const text = runaway
        .replace(/^\s*\{/, '')
        .replace(/\s*\\par\b.*$/s, '')
        .trim()
        .slice(0, 60);
      const verbatim = /verbatim|lst|@xcomment/.test(match[1]!);
      if (verbatim)
        return {
          explanation: 'A verbatim or listing environment has no end.',
          suggestion: 'Add its \\end{…} on a line of its own.',
        };
      const at = text ? ` It begins with “${text}”.` : '';
      return {
        explanation: `The document ended inside the argument of a command: its closing brace } is missing.${at}`,
        suggestion: text ? `Add a } after “${text}”.` : 'Add the missing }.',
      };
    },
  },
  {
    pattern: /^(?:Paragraph ended before (\S+) was complete|Argument of (\S+) has an extra })/,
    advise: (match) => {
      const name = (match[1] ?? match[2])!.replace(/@/g, '').replace(/^\\/, '');
      if (/^(?:align|gather|multline|flalign|alignat|equation|split)/.test(name))
        return {
          explanation: `An empty line stands inside ${name}.`,
          suggestion: `Remove the empty line, or begin it with %.`,
        };
      return {
        explanation: 'The argument of a command is not closed before the paragraph ends.',
        suggestion: 'Add the missing }, and leave no empty line inside the argument.',
      };
    },
  },
  {
    pattern: /^LaTeX Error: \\begin\{(\S+?)\}(?: on input line (\d+))? ended by \\end\{(\S+?)\}/,
    advise: (match) => {
      const [, begun, line, ended] = match;
      if (begun === 'document')
        return {
          explanation: `\\end{${ended}} closes an environment that was not opened.`,
          suggestion: `Add \\begin{${ended}} before it, or remove \\end{${ended}}.`,
        };
      const where = line ? ` (line ${line})` : '';
      return {
        explanation: `The environment ${begun}${where} is not closed before \\end{${ended}}.`,
        suggestion:
          ended === 'document'
            ? `Add \\end{${begun}} where it should end.`
            : `Close it with \\end{${begun}} first, or write the same name in both.`,
      };
    },
  },
  { pattern: /^LaTeX Error: File `(.+?)' not found/, advise: (match) => adviseMissingFile(match[1]!) },
  {
    pattern: /^(?:Misplaced alignment tab character &)/,
    advise: say(
      '& separates columns, but there is no table or alignment here.',
      'Write \\& for the character itself.',
    ),
  },
  {
    pattern: /^Extra alignment tab has been changed/,
    advise: say(
      'This row has more columns (&) than the table or matrix was set up for.',
      'Remove an &, end the row with \\\\, or add a column to the specification.',
    ),
  },
  {
    pattern: /macro parameter character #/,
    advise: say('# has a meaning of its own only in definitions.', 'Write \\# for the character itself.'),
  },
  {
    pattern: /^Double superscript/,
    advise: say(
      'Two superscripts follow each other, and it is unclear what the second belongs to.',
      'Use braces: x^{a^b} or {x^a}^b.',
    ),
  },
  {
    pattern: /^Double subscript/,
    advise: say(
      'Two subscripts follow each other, and it is unclear what the second belongs to.',
      'Use braces: x_{a_b} or x_{ab}.',
    ),
  },
  {
    pattern: /perhaps a missing \\item/,
    advise: say(
      'A list must begin with \\item.',
      'Begin the list’s text with \\item; an empty list must go.',
    ),
  },
  {
    pattern: /Lonely \\item/,
    advise: say('\\item stands outside of a list.', 'Put it between \\begin{itemize} and \\end{itemize}.'),
  },
  {
    pattern: /Option clash for package (\S+?)\.?$/,
    advise: (match) => ({
      explanation: `The package ${match[1]} is loaded twice with different options.`,
      suggestion: `Load ${match[1]} once, first, with all options together.`,
    }),
  },
  {
    pattern: /Missing \\begin\{document\}/,
    advise: say(
      'There is text before \\begin{document}.',
      'Move it after \\begin{document}; only settings belong before.',
    ),
  },
  {
    pattern: /There's no line here to end/,
    advise: say(
      '\\\\ or \\newline stands where no line of text has begun.',
      'Remove it; use an empty line for a new paragraph or \\vspace for space.',
    ),
  },
  {
    pattern: /Bad math environment delimiter/,
    advise: say(
      'A formula is opened twice or closed twice.',
      'Use \\[ … \\] and \\( … \\) in pairs, and close every \\left with a \\right inside.',
    ),
  },
  {
    pattern: /^Display math should end with \$\$/,
    advise: say(
      'A displayed formula begins with $$ and does not end with $$.',
      'End it with $$, or better write \\[ … \\].',
    ),
  },
  {
    pattern: /^Missing \\right\. inserted/,
    advise: say(
      '\\left has no \\right in the same formula and line.',
      'Add the matching \\right, or \\right. for none.',
    ),
  },
  {
    pattern: /^Extra \\right/,
    advise: say(
      '\\right has no \\left before it in the same formula.',
      'Add the matching \\left, or \\left. for none.',
    ),
  },
  {
    pattern: /^Missing delimiter/,
    advise: say(
      '\\left and \\right need a bracket after them.',
      'Write for example \\left( … \\right), or a point for none: \\left. .',
    ),
  },
  {
    pattern: /^Missing number, treated as zero/,
    advise: say(
      'A number or length was expected here.',
      'Give a number, with a unit for lengths: 2cm, 10pt.',
    ),
  },
  {
    pattern: /^Illegal unit of measure/,
    advise: say('A length needs a unit.', 'Write for example 3mm, 1cm, 10pt or 0.5\\textwidth.'),
  },
  {
    pattern: /^Limit controls must follow a math operator/,
    advise: say(
      '\\limits only follows an operator such as \\sum or \\int.',
      'Remove \\limits, or make an operator of what precedes it: \\mathop{…}\\limits.',
    ),
  },
  {
    pattern: /^Missing character: There is no (.+?) \(?(?:U\+|")([0-9A-Fa-f]+)\)? in font (\S+)/,
    advise: (match) => adviseMissingCharacter(match[1]!, match[3]!),
  },
  {
    pattern: /Unicode character (\S+)/,
    advise: (match) => ({
      explanation: `pdfLaTeX cannot write the character ${match[1]} as it stands.`,
      suggestion: 'Use its LaTeX command, or compile with xelatex (remove the % !TEX program line).',
    }),
  },
  {
    pattern: /allowed only in math mode/,
    advise: say('This command works only in formulas.', 'Put it between dollar signs: $…$.'),
  },
  {
    pattern: /Too deeply nested/,
    advise: say('Lists can be nested four deep at most.', 'Close some lists before opening the next.'),
  },
  {
    pattern: /Counter too large/,
    advise: say(
      'The counter has no letter or symbol for a number this large.',
      'Number with \\arabic instead of letters.',
    ),
  },
  {
    pattern: /Command (\\\S+) already defined/,
    advise: (match) => ({
      explanation: `${match[1]} exists already.`,
      suggestion: `Choose another name, or use \\renewcommand{${match[1]}} to replace it.`,
    }),
  },
  {
    pattern: /Command (\\\S+) undefined/,
    advise: (match) => ({
      explanation: `${match[1]} cannot be redefined: it does not exist.`,
      suggestion: `Use \\newcommand{${match[1]}}.`,
    }),
  },
  {
    pattern: /Undefined color `(.+?)'/,
    advise: (match) => ({
      explanation: `No colour is called ${match[1]}.`,
      suggestion: 'Check the name; \\usepackage[dvipsnames]{xcolor} knows many more.',
    }),
  },
  {
    pattern: /Did you forget a semicolon/,
    advise: say('A TikZ path is not ended.', 'End every \\draw, \\node, \\fill and \\path with a semicolon.'),
  },
  {
    pattern: /I do not know the key '(?:\/\w+\/)*(.+?)'/,
    advise: (match) => ({
      explanation: `No option is called ${match[1]} here.`,
      suggestion: 'Check the spelling, or load the TikZ library that brings it (\\usetikzlibrary).',
    }),
  },
  {
    pattern: /Package fontspec Error: The font "(.+?)" cannot be found/,
    advise: (match) => ({
      explanation: `The font ${match[1]} is not installed here.`,
      suggestion:
        'Remove the line, or use an installed one: TeX Gyre Termes, TeX Gyre Pagella, Latin Modern Roman, Liberation Sans, DejaVu Sans.',
    }),
  },
  {
    pattern: /^Font .* not loadable/,
    advise: say('This font is not installed here.', 'Repair the error before it, or leave the font out.'),
  },
  {
    pattern: /fontspec package requires either XeTeX or LuaTeX|cannot-use-pdftex/,
    advise: say(
      'fontspec does not work with pdfLaTeX.',
      'Compile with xelatex: remove the line % !TEX program = pdflatex.',
    ),
  },
  {
    pattern: /Package minted Error/,
    advise: () => ({
      explanation: 'minted runs a program of its own, which is not allowed here.',
      suggestion: replacements.minted!,
    }),
  },
  {
    pattern: /shell[- ]escape/i,
    advise: say('This package wants to run other programs, which is not allowed here.', 'Do without it.'),
  },
  {
    pattern: /Package babel Error: Unknown option [`'](.+?)'/,
    advise: (match) => ({
      explanation: `The language ${match[1]} is not installed here.`,
      suggestion:
        'Check its name in babel, or remove it: the text still compiles, only hyphenation and fixed words are missing.',
    }),
  },
  {
    pattern: /Package babel Error/,
    advise: say(
      'A language of this document is not installed here.',
      'Remove it from babel’s options: the text still compiles, only hyphenation and fixed words are missing.',
    ),
  },
  {
    pattern: /\\verb illegal in (?:command )?argument|\\verb ended by end of line/,
    advise: say(
      '\\verb cannot stand inside the argument of another command, nor span lines.',
      'Use \\texttt{…} there.',
    ),
  },
  {
    pattern: /^TeX capacity exceeded/,
    advise: say(
      'TeX ran out of memory, nearly always because a command calls itself without end.',
      'Look at the definition used here; a \\renewcommand must not use the command it replaces.',
    ),
  },
  {
    pattern: /^Misplaced (?:\\noalign|\\hline|\\omit|\\cr)/,
    advise: say(
      '\\hline, \\multicolumn or \\\\ stands in the wrong place of a table or alignment.',
      'Put \\hline at the beginning of a row, after \\\\; \\multicolumn at the beginning of a cell.',
    ),
  },
  {
    pattern: /no legal \\end found/,
    advise: say('The document has no \\end{document}.', 'Add \\end{document} as the last line.'),
  },
  {
    pattern: /^Missing \\endgroup inserted|^Extra \\endgroup|^Missing \\cr inserted/,
    advise: say(
      'Follows from an unbalanced brace, $ or environment before it.',
      'Repair the first error of the list; this one usually goes with it.',
    ),
  },
  {
    pattern: /Can be used only in preamble/,
    advise: say('This command belongs before \\begin{document}.', 'Move it to the preamble.'),
  },
  {
    pattern: /Not in outer par mode|Floating? .*not in outer/,
    advise: say(
      'A figure or table stands inside a box, where it cannot float.',
      'Move it outside, or use \\includegraphics with \\captionof.',
    ),
  },
  {
    pattern: /^Reference `(.+?)' on page/,
    advise: (match) => ({
      explanation: `No \\label{${match[1]}} exists; ?? is printed instead.`,
      suggestion: `Add \\label{${match[1]}} to what it refers to.`,
    }),
  },
  {
    pattern: /^Citation `(.+?)' on page/,
    advise: (match) => ({
      explanation: `No \\bibitem{${match[1]}} exists; ? is printed instead.`,
      suggestion: 'Add it to a thebibliography environment: bibliography files are not processed here.',
    }),
  },
  {
    pattern: /^Label `(.+?)' multiply defined/,
    advise: (match) => ({
      explanation: `The label ${match[1]} is given twice; references go to the last.`,
      suggestion: 'Give each place a label of its own.',
    }),
  },
  {
    pattern: /^Overfull \\hbox/,
    advise: say(
      'A line is wider than the text.',
      'Rephrase, break the formula, or scale the picture to \\textwidth.',
    ),
  },
  {
    pattern: /^inputenc package ignored/,
    advise: say('xelatex reads UTF-8 by itself.', 'Remove \\usepackage[utf8]{inputenc}.'),
  },
];
