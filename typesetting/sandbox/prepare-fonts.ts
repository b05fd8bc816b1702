/**
 * `node typesetting/sandbox/prepare-fonts.ts`: has LuaLaTeX read the fonts that documents use most and stores
 * its caches in .native/fonts, where boxes read them (docs/decisions/120-lualatex.md). Run by setup/install.sh;
 * only our own document is compiled, so the caches can be trusted.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { boxEnvironment } from './box-contents.ts';
import { preparedFonts } from './prepared-fonts.ts';

/** LaTeX's own faces in the sizes of its classes, TeX Gyre's by name, and the letters of unicode-math. */
const document = String.raw`\documentclass{article}
\usepackage{fontspec,unicode-math}
\newcommand{\faces}{{\upshape a}{\itshape a}{\bfseries a}{\bfseries\itshape a}}
\newcommand{\all}{\faces{\scshape a}{\slshape a}{\sffamily\faces}{\ttfamily\faces}}
\begin{document}
\tiny\all\scriptsize\all\footnotesize\all\small\all\normalsize\all\large\all\Large\all\LARGE\all\huge\all\Huge\all
\normalsize$a$
${['Termes', 'Pagella', 'Heros', 'Cursor'].map((name) => `{\\fontspec{TeX Gyre ${name}}\\faces}`).join('\n')}
\end{document}
`;

const work = mkdtempSync(path.join(tmpdir(), 'inkproof-fonts-'));
try {
  const texmf = fileURLToPath(new URL('../texmf', import.meta.url));
  const cache = path.join(work, 'cache');
  mkdirSync(cache);
  writeFileSync(path.join(work, 'main.tex'), document);
  execFileSync('lualatex', ['-no-shell-escape', '--nosocket', '-interaction=batchmode', 'main.tex'], {
    cwd: work,
    env: { ...boxEnvironment('lualatex', { folder: work, texmf }), TEXMFCACHE: cache },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // each is stored in two forms; LuaLaTeX uses the faster one
  for (const entry of readdirSync(cache, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && !/\.luc(?:\.gz)?$/.test(entry.name))
      rmSync(path.join(entry.parentPath, entry.name));
  const old = `${preparedFonts}.old`;
  execFileSync('cp', ['-r', cache, `${preparedFonts}.new`]);
  rmSync(old, { recursive: true, force: true });
  // a server may be copying the existing ones
  if (existsSync(preparedFonts)) renameSync(preparedFonts, old);
  renameSync(`${preparedFonts}.new`, preparedFonts);
  rmSync(old, { recursive: true, force: true });
} finally {
  rmSync(work, { recursive: true, force: true });
}
