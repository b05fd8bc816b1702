/** What is in the box besides the job's folder, however it is built. */

import { fontFolders } from '../own-fonts.ts';
import { ownFontCache, sharedFontCache } from './prepared-fonts.ts';

/** The programs that run in a box, each in its own. */
export const boxedPrograms = [
  'xelatex',
  'pdflatex',
  'lualatex',
  'xdvipdfmx',
  'bibtexu',
  'biber',
  'makeindex',
] as const;
export type BoxedProgram = (typeof boxedPrograms)[number];

/** The only executable files in a program's box: itself, and its interpreter if it is a script. */
export const executablesOf = (program: BoxedProgram): string[] =>
  [...(program === 'biber' ? ['perl'] : []), program].map((name) => `/usr/bin/${name}`);

/** Switches that precede a program's own. */
export const firstArgs = (program: BoxedProgram, texmf: string): string[] =>
  // by its path: a file in the job's folder may be the document's
  program === 'lualatex' ? [`--lua=${texmf}/lualatex/begin.lua`, '--nosocket'] : [];

/** Read-only parts of the host. Nothing of /etc except TeX's own configuration, and no /usr/bin: no shell to run. */
export const readOnly = ['/usr/lib', '/usr/share', '/etc/texmf', '/var/lib/texmf'];
/** The same, if they exist. */
export const readOnlyIfThere = [
  '/usr/lib64',
  '/usr/local/share/fonts',
  '/usr/local/share/texmf',
  '/var/cache/fontconfig',
  '/etc/ld.so.cache',
];

/**
 * The complete environment of the box; nothing of the server's environment is passed on. Paths are as seen in
 * the box: the job's folder and our own TeX tree.
 */
export function boxEnvironment(
  program: BoxedProgram,
  places: { folder: string; texmf: string },
): Record<string, string> {
  return {
    // TeX has found pictures and fonts already, whatever their case: the driver would only list folders again
    ...(program === 'xdvipdfmx' ? { texmf_casefold_search: '0' } : {}),
    PATH: '/usr/bin',
    HOME: places.folder,
    // TeX's own path guard (no absolute or parent paths, no dot files) stays on in addition to the box's
    openin_any: 'p',
    // these apply the guard to what they found themselves in the distribution
    openin_any_bibtexu: 'r',
    openin_any_makeindex: 'r',
    openout_any: 'p',
    shell_escape: 'f',
    // only our fonts: by family, and by file name
    FONTCONFIG_FILE: `${places.texmf}/fonts.conf`,
    OSFONTDIR: fontFolders.join(':'),
    TEXMFHOME: '/nonexistent',
    // parts of our own tree before and after the distribution's: two colons stand for the default path
    TEXINPUTS: `.:${places.texmf}/first//::${places.texmf}/last//`,
    TEXINPUTS_xelatex: `.:${places.texmf}/xelatex//:${places.texmf}/first//::${places.texmf}/last//`,
    PERL5LIB: `${places.texmf}/perl`,
    // LuaLaTeX's font caches: the shared one, and the job's own
    TEXMFCACHE: `${places.texmf}/${sharedFontCache}:${places.folder}/${ownFontCache}`,
    TEXMFVAR: '/nonexistent',
    TEXMFCONFIG: '/nonexistent',
    // xdvipdfmx would use a dvipdfmx.cfg that the document wrote into its folder, and that file may name
    // commands
    DVIPDFMXINPUTS: '/etc/texmf/dvipdfmx:/usr/share/texlive/texmf-dist//',
    // no shell in the box: do not try to generate fonts
    MKTEXTFM: '0',
    MKTEXMF: '0',
    MKTEXPK: '0',
    // whole messages on one line, with as much of the source around an error as TeX will give
    max_print_line: '10000',
    error_line: '254',
    half_error_line: '238',
  };
}
