/**
 * Which engine a document requests: the editors' magic comment `% !TEX program = …` in its first lines; without
 * one xelatex, unless the document can only have been written for lualatex or pdflatex.
 */
import type { Engine } from '../typesetter.ts';

/** What the document requests, and what it gets. */
export interface EngineChoice {
  engine: Engine;
  /** Set if the document requests an engine that is not offered; `line` is the comment's, 1-based. */
  substituted?: { requested: string; line: number };
}

// TeXShop and TeXworks, which introduced the comment, read it only in a file's first lines
const linesRead = 20;
const comment = /^\s*%+\s*!\s*TEX\s+(?:TS-)?program\s*=\s*([A-Za-z-]+)/i;

/** Cyrillic in 8-bit encodings: their font metrics would have to be generated, which nothing in the box can do. */
const needsGeneratedFonts = /^[^%\n]*\\usepackage\s*\[[^\]]*\b(?:T2[ABC]|X2|LCY)\b[^\]]*\]\s*\{fontenc\}/m;

/** Reads the magic comment. Without one, or with an unknown name, xelatex compiles what it can. */
export function chooseEngine(latex: string): EngineChoice {
  const lines = latex.split('\n', linesRead);
  for (const [index, line] of lines.entries()) {
    const requested = comment.exec(line)?.[1]?.toLowerCase();
    if (!requested) continue;
    if (requested === 'xelatex' || requested === 'xetex') return { engine: 'xelatex' };
    if (requested === 'pdflatex' || requested === 'latex' || requested === 'pdftex' || requested === 'tex')
      return { engine: needsGeneratedFonts.test(latex) ? 'xelatex' : 'pdflatex' };
    if (requested === 'lualatex' || requested === 'luatex' || requested === 'luahbtex')
      return { engine: 'lualatex' };
    return { engine: 'xelatex', substituted: { requested, line: index + 1 } };
  }
  const code = latex.replace(/(?<!\\)%.*/g, '');
  if (isForLuatexAlone(code)) return { engine: 'lualatex' };
  return { engine: isForPdftexAlone(code) ? 'pdflatex' : 'xelatex' };
}

/** A document that tests which engine runs supports others too. */
const testsEngine =
  /\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{[^}]*\b(?:iftex|ifxetex|ifluatex|ifpdf)\b|\\if(?:xe|lua|pdf)?tex\b|\\if(?:defined|x|csname)\s*\\?(?:directlua|luatexversion|XeTeX\w+)|\\(?:sys_if_engine_\w+|IfPackageLoadedTF)/i;

/** What only LuaTeX runs: its own primitives, and packages written in Lua. */
const luatexAlone = [
  /\\(?:directlua|latelua|luaexec|luadirect|luafunction|luacode|luaescapestring|newluafunction)(?![A-Za-z@])/,
  /\\begin\s*\{luacode\*?\}/,
  /\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{(?:[^}]*,)?\s*(?:lua(?!tex85|inputenc|color)[a-z-]+|cloze|ekdosis|emoji|interpreter|penlight|piton|selnolig)\s*[,}]/,
  /\\usepackage\s*\[[^\]]*\bbidi\s*=\s*basic/,
  /\\documentclass\s*(?:\[[^\]]*\])?\s*\{(?:ltj[a-z]+|novel|pdfarticle)\}/,
  /\\documentclass\s*\[(?:[^\]]*[,\s])?luatex\s*[,\]]/,
  /\\usegdlibrary(?![A-Za-z@])|\\usetikzlibrary\s*\{[^}]*\bgraphdrawing\b/,
];

function isForLuatexAlone(code: string): boolean {
  return !testsEngine.test(code) && luatexAlone.some((pattern) => pattern.test(code));
}

/** A document that loads one of these, or tests which engine runs, is written for xelatex or lualatex. */
const unicodeEngines =
  /\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{[^}]*\b(?:fontspec|unicode-math|polyglossia|xltxtra|xunicode|mathspec|xeCJK|iftex|ifxetex|ifluatex)\b|\\(?:setmainfont|XeTeX|if(?:xe|lua)?tex\b)/i;

/**
 * What xelatex lacks and our own tree cannot provide (docs/decisions/012-typesetting-packages.md lists what it
 * provides): pdfTeX's primitives, characters defined without inputenc, packages built on 8-bit fonts.
 */
const pdftexAlone = [
  /\\pdf(?:output|compresslevel|objcompresslevel|minorversion|majorversion|info|catalog|obj|literal|refobj|ximage|pageattr|pagesattr|pageresources|adjustspacing|protrudechars|inclusionerrorlevel|inclusioncopyfonts|suppresswarningpagegroup|suppressptexinfo|optionpdfminorversion|mapfile|mapline|imageresolution|pkresolution|decimaldigits|horigin|vorigin|fontattr|trailer|colorstack|setmatrix|interwordspaceon|fakespace)(?![A-Za-z@])/,
  /\\usepackage\s*(?:\[[^\]]*\])?\s*\{(?:CJK\w*|CJKutf8|arabtex|cjhebrew|ucs)\}/,
  // a class option applies to every package, and to the format itself
  /\\documentclass\s*\[(?:[^\]]*[,\s])?pdftex\s*[,\]]/,
  // its capitals are letterspaced by pdfTeX's own means, or end in an error
  /\\documentclass\s*(?:\[[^\]]*\])?\s*\{tufte-(?:book|handout)\}/,
];

function isForPdftexAlone(code: string): boolean {
  if (unicodeEngines.test(code) || needsGeneratedFonts.test(code)) return false;
  if (pdftexAlone.some((pattern) => pattern.test(code))) return true;
  if (code.includes('\\pdfgentounicode') && !code.includes('{glyphtounicode}')) return true;
  return code.includes('\\DeclareUnicodeCharacter') && !/\{(?:inputenc|fontenc)\}/.test(code);
}
