/** What is in the box beside the job's folder, whichever way it is built. */

import { fontFolders } from '../own-fonts.ts';
import { ownFontCache, sharedFontCache } from './prepared-fonts.ts';

/** The programs that run in a box, each in one of its own. */
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

/** The only files that can be executed in a program's box: itself, and what reads it where it is a script. */
export const executablesOf = (program: BoxedProgram): string[] =>
  [...(program === 'biber' ? ['perl'] : []), program].map((name) => `/usr/bin/${name}`);

/** What a program's own switches begin with. */
export const firstArgs = (program: BoxedProgram, texmf: string): string[] =>
  // by its path: what lies in the job's folder may be the document's
  program === 'lualatex' ? [`--lua=${texmf}/lualatex/begin.lua`, '--nosocket'] : [];

/** Read-only parts of the host. Nothing of /etc but what TeX's own set-up lives in, and no /usr/bin: no shell to run. */
export const readOnly = ['/usr/lib', '/usr/share', '/etc/texmf', '/var/lib/texmf'];
/** The same, where they exist. */
export const readOnlyIfThere = [
  '/usr/lib64',
  '/usr/local/share/fonts',
  '/usr/local/share/texmf',
  '/var/cache/fontconfig',
  '/etc/ld.so.cache',
];

/**
 * Settings of the box, all of them; nothing of the server's environment is passed on. Places are as seen in the box:
 * the job's folder and our own TeX tree.
 */
export function boxEnvironment(places: { folder: string; texmf: string }): Record<string, string> {
  return {
    PATH: '/usr/bin',
    HOME: places.folder,
    // TeX's own path guard (no absolute or parent paths, no dot files) stays on behind the box's
    openin_any: 'p',
    // these apply the guard to what they found themselves in the distribution
    openin_any_bibtexu: 'r',
    openin_any_makeindex: 'r',
    openout_any: 'p',
    shell_escape: 'f',
    // our fonts alone: by family, and by the name of a file
    FONTCONFIG_FILE: `${places.texmf}/fonts.conf`,
    OSFONTDIR: fontFolders.join(':'),
    TEXMFHOME: '/nonexistent',
    // parts of our own tree before and after the distribution's: two colons stand for what is searched anyway
    TEXINPUTS: `.:${places.texmf}/first//::${places.texmf}/last//`,
    TEXINPUTS_xelatex: `.:${places.texmf}/xelatex//:${places.texmf}/first//::${places.texmf}/last//`,
    PERL5LIB: `${places.texmf}/perl`,
    // what LuaLaTeX has learnt of the fonts: for every job, and a job's own
    TEXMFCACHE: `${places.texmf}/${sharedFontCache}:${places.folder}/${ownFontCache}`,
    TEXMFVAR: '/nonexistent',
    TEXMFCONFIG: '/nonexistent',
    // xdvipdfmx would take a dvipdfmx.cfg that the document wrote into its folder, and that file may name commands
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
