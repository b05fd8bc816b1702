/**
 * Which engine a document requests: the editors' magic comment `% !TEX program = …` in its first lines; without
 * one xelatex, unless the document can only have been written for lualatex or pdflatex.
 */
import { findClass, loadedPackages, scanPreamble } from '#latex/source/read-commands.ts';
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

/** A document's class and packages, and its code without comments. */
interface Source {
  code: string;
  documentClass: { name: string; options: string } | null;
  packages: readonly { name: string; options?: string }[];
}

function readSource(latex: string): Source {
  const tokens = scanPreamble(latex);
  return {
    code: latex.replace(/(?<!\\)%.*/g, ''),
    documentClass: findClass(latex, tokens),
    packages: loadedPackages(latex, tokens),
  };
}

const loads = ({ packages }: Source, names: RegExp) => packages.some(({ name }) => names.test(name));
const hasClassOption = ({ documentClass }: Source, option: string) =>
  documentClass?.options.split(',').some((one) => one.trim() === option) ?? false;

/** Cyrillic in 8-bit encodings: their font metrics would have to be generated, which nothing in the box can do. */
const needsGeneratedFonts = ({ packages }: Source) =>
  packages.some(({ name, options = '' }) => name === 'fontenc' && /\b(?:T2[ABC]|X2|LCY)\b/.test(options));

/** Reads the magic comment. Without one, or with an unknown name, xelatex compiles what it can. */
export function chooseEngine(latex: string): EngineChoice {
  const lines = latex.split('\n', linesRead);
  for (const [index, line] of lines.entries()) {
    const requested = comment.exec(line)?.[1]?.toLowerCase();
    if (!requested) continue;
    if (requested === 'xelatex' || requested === 'xetex') return { engine: 'xelatex' };
    if (requested === 'pdflatex' || requested === 'latex' || requested === 'pdftex' || requested === 'tex')
      return { engine: needsGeneratedFonts(readSource(latex)) ? 'xelatex' : 'pdflatex' };
    if (requested === 'lualatex' || requested === 'luatex' || requested === 'luahbtex')
      return { engine: 'lualatex' };
    return { engine: 'xelatex', substituted: { requested, line: index + 1 } };
  }
  const source = readSource(latex);
  if (isForLuatexAlone(source)) return { engine: 'lualatex' };
  return { engine: isForPdftexAlone(source) ? 'pdflatex' : 'xelatex' };
}

/** A document that tests which engine runs supports others too. */
const testsEngine = (source: Source) =>
  loads(source, /^(?:iftex|ifxetex|ifluatex|ifpdf)$/i) ||
  /\\if(?:xe|lua|pdf)?tex\b|\\if(?:defined|x|csname)\s*\\?(?:directlua|luatexversion|XeTeX\w+)|\\(?:sys_if_engine_\w+|IfPackageLoadedTF)/i.test(
    source.code,
  );

/** What only LuaTeX runs: its own primitives, and packages and classes written for it. */
const luatexCode = [
  /\\(?:directlua|latelua|luaexec|luadirect|luafunction|luacode|luaescapestring|newluafunction)(?![A-Za-z@])/,
  /\\begin\s*\{luacode\*?\}/,
  /\\usegdlibrary(?![A-Za-z@])|\\usetikzlibrary\s*\{[^}]*\bgraphdrawing\b/,
];
const luatexPackages =
  /^(?:lua(?!tex85|inputenc|color)[a-z-]+|cloze|ekdosis|emoji|interpreter|penlight|piton|selnolig)$/;
const luatexClasses = /^(?:ltj[a-z]+|novel|pdfarticle)$/;

function isForLuatexAlone(source: Source): boolean {
  if (testsEngine(source)) return false;
  return (
    luatexCode.some((pattern) => pattern.test(source.code)) ||
    loads(source, luatexPackages) ||
    source.packages.some(({ options = '' }) => /\bbidi\s*=\s*basic/.test(options)) ||
    luatexClasses.test(source.documentClass?.name ?? '') ||
    hasClassOption(source, 'luatex')
  );
}

/** A document that loads one of these, or tests which engine runs, is written for xelatex or lualatex. */
const unicodeEngines = (source: Source) =>
  loads(
    source,
    /^(?:fontspec|unicode-math|polyglossia|xltxtra|xunicode|mathspec|xeCJK|iftex|ifxetex|ifluatex)$/i,
  ) || /\\(?:setmainfont|XeTeX|if(?:xe|lua)?tex\b)/i.test(source.code);

/**
 * What xelatex lacks and our own tree cannot provide (docs/decisions/012-typesetting-packages.md lists what it
 * provides): pdfTeX's primitives, characters defined without inputenc, packages built on 8-bit fonts.
 */
const pdftexPrimitives =
  /\\pdf(?:output|compresslevel|objcompresslevel|minorversion|majorversion|info|catalog|obj|literal|refobj|ximage|pageattr|pagesattr|pageresources|adjustspacing|protrudechars|inclusionerrorlevel|inclusioncopyfonts|suppresswarningpagegroup|suppressptexinfo|optionpdfminorversion|mapfile|mapline|imageresolution|pkresolution|decimaldigits|horigin|vorigin|fontattr|trailer|colorstack|setmatrix|interwordspaceon|fakespace)(?![A-Za-z@])/;
const pdftexPackages = /^(?:CJK\w*|arabtex|cjhebrew|ucs)$/;
/** Their capitals are letterspaced by pdfTeX's own means, or end in an error. */
const pdftexClasses = /^tufte-(?:book|handout)$/;

function isForPdftexAlone(source: Source): boolean {
  const { code, documentClass } = source;
  if (unicodeEngines(source) || needsGeneratedFonts(source)) return false;
  return (
    pdftexPrimitives.test(code) ||
    loads(source, pdftexPackages) ||
    // a class option applies to every package, and to the format itself
    hasClassOption(source, 'pdftex') ||
    pdftexClasses.test(documentClass?.name ?? '') ||
    (code.includes('\\pdfgentounicode') && !code.includes('{glyphtounicode}')) ||
    (code.includes('\\DeclareUnicodeCharacter') && !loads(source, /^(?:inputenc|fontenc)$/))
  );
}
