/** Which engine a document asks for: the editors' magic comment `% !TEX program = …` in its first lines. */
import type { Engine } from './typesetter.ts';

/** What the document asked for, and what it gets. */
export interface EngineChoice {
  engine: Engine;
  /** Set when the document asked for an engine that is not offered; `line` is the comment's, 1-based. */
  substituted?: { asked: string; line: number };
}

// TeXShop and TeXworks, who invented the comment, read it only in a file's first lines
const linesRead = 20;
const comment = /^\s*%+\s*!\s*TEX\s+(?:TS-)?program\s*=\s*([A-Za-z-]+)/i;

/** Reads the magic comment. Without one, or with an unknown name, xelatex compiles. */
export function chooseEngine(latex: string): EngineChoice {
  const lines = latex.split('\n', linesRead);
  for (const [index, line] of lines.entries()) {
    const asked = comment.exec(line)?.[1]?.toLowerCase();
    if (!asked) continue;
    if (asked === 'xelatex' || asked === 'xetex') return { engine: 'xelatex' };
    if (asked === 'pdflatex' || asked === 'latex' || asked === 'pdftex' || asked === 'tex')
      return { engine: 'pdflatex' };
    return { engine: 'xelatex', substituted: { asked, line: index + 1 } };
  }
  return { engine: 'xelatex' };
}
