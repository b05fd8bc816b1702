import { describe, expect, it } from 'vitest';
import { checkStem, findUses, nameFigure, showFigure } from './figure-names.ts';

function apply(text: string, changes: ReturnType<typeof showFigure>): string {
  return changes.reduceRight(
    (done, { from, to, insert }) => done.slice(0, from) + insert + done.slice(to),
    text,
  );
}

describe('a figure’s name', () => {
  it('is the file’s, in characters that TeX and the server accept', () => {
    expect(nameFigure('Übung 3 (neu).PNG', 'image/png', [])).toBe('Ubung-3-neu.png');
    expect(nameFigure('photo.heic', 'image/jpeg', [])).toBe('photo.jpg');
    expect(nameFigure('图.png', 'image/png', [])).toBe('figure.png');
    expect(nameFigure('main.png', 'image/png', [])).toBe('figure.png');
  });

  it('gets a number if it is taken, in any letter case', () => {
    expect(nameFigure('plot.png', 'image/png', ['Plot.png', 'plot-2.png'])).toBe('plot-3.png');
  });

  it('that somebody gives is checked', () => {
    expect(checkStem('', 'png', [])).toBe('empty');
    expect(checkStem('a b', 'png', [])).toBe('characters');
    expect(checkStem('main', 'png', [])).toBe('characters');
    expect(checkStem('plot', 'png', ['PLOT.png'])).toBe('taken');
    expect(checkStem('plot.2', 'png', ['plot.png'])).toBeNull();
  });
});

describe('a figure in the text', () => {
  it('is found with its ending or without, and no other', () => {
    const text =
      '\\includegraphics[width=2cm]{plot.png} \\includegraphics{ plot } \\includegraphics{plot-2.png}';
    expect(findUses(text, 'plot.png').map(({ from, to }) => text.slice(from, to))).toEqual([
      'plot.png',
      'plot',
    ]);
  });

  it('is found after several options, and not in a comment or in verbatim text', () => {
    const text =
      '\\includegraphics[0,0][9,9]{plot}\n% \\includegraphics{plot}\n\\verb|\\includegraphics{plot}|\n';
    expect(findUses(text, 'plot.png')).toEqual([{ from: 27, to: 31 }]);
  });

  it('is put on lines of its own after the line it was dropped on, with its package', () => {
    const text = '\\documentclass{article}\n\\begin{document}\nOne.\nTwo.\n\\end{document}\n';
    const shown = apply(text, showFigure(text, text.indexOf('ne.'), 'plot.png'));
    expect(shown).toBe(
      '\\documentclass{article}\n\\usepackage{graphicx}\n\\begin{document}\nOne.\n\\begin{center}\n  \\includegraphics[width=0.8\\linewidth]{plot.png}\n\\end{center}\nTwo.\n\\end{document}\n',
    );
    expect(apply(shown, showFigure(shown, shown.length - 20, 'b.png')).match(/graphicx/g)).toHaveLength(1);
  });

  it('replaces an empty line, and is never put in the preamble', () => {
    const text = '\\usepackage{amsmath, graphicx}\n\\begin{document}\n\nOne.\n\\end{document}';
    const block = '\\begin{center}\n  \\includegraphics[width=0.8\\linewidth]{a.png}\n\\end{center}';
    expect(apply(text, showFigure(text, text.indexOf('\n\nOne') + 1, 'a.png'))).toBe(
      `\\usepackage{amsmath, graphicx}\n\\begin{document}\n${block}\nOne.\n\\end{document}`,
    );
    expect(apply(text, showFigure(text, 3, 'a.png'))).toContain(`\\begin{document}\n${block}\n\nOne.`);
  });
});
