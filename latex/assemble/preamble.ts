/** Builds the document's preamble: class, paper, language, packages in load order, the pages' definitions merged. */

import { floatEnvironments, tableEnvironments, theoremEnvironments } from '../source/commands.ts';
import {
  defaultPackageOptions,
  findCommandPackage,
  findEnvironmentPackage,
  impliedPackages,
  isKnownPackage,
  packageOrder,
} from '../source/package-table.ts';
import { definedCommands } from '../source/read-commands.ts';
import { scanLatex } from '../source/scan.ts';
import type { PackageUse } from './page-body.ts';

/** Never loaded: the engine makes them unnecessary, or they change fonts and page layout. */
const refusedPackages = new Set([
  'inputenc',
  'fontenc',
  'utf8',
  'lmodern',
  'fontspec',
  'unicode-math',
  'polyglossia',
  'babel',
  'geometry',
  'minted',
  'shellesc',
  'bashful',
  'luacode',
  'xeCJK',
  'CJKutf8',
  'times',
  'mathptmx',
  'palatino',
  'amsfonts',
  'epsfig',
  'epstopdf',
  'textcomp',
  'nopageno',
  'fullpage',
  'a4wide',
  'color',
]);

/** Returns the packages that a text needs for its commands and environments. */
export function detectPackages(latex: string): string[] {
  const found = new Set<string>();
  const own = definedCommands(latex);
  const tokens = scanLatex(latex);
  tokens.forEach((token, index) => {
    if (token.kind === 'command') {
      const owner = own.has(token.name) ? null : findCommandPackage(token.name);
      if (owner) found.add(owner);
    } else if (token.kind === 'begin') {
      const owner = findEnvironmentPackage(token.name);
      if (owner) found.add(owner);
      if (
        (token.name === 'enumerate' || token.name === 'itemize') &&
        tokens[index + 1]?.kind === 'bracket-open'
      ) {
        found.add('enumitem');
      }
      if (floatEnvironments.has(token.name) && /^\s*\[H\]/.test(latex.slice(token.end, token.end + 5))) {
        found.add('float');
      }
      if (
        (tableEnvironments.has(token.name) || token.name === 'array') &&
        /^(\{[^{}]*\})?\s*\{[^\n]*[>m<!]\{/.test(latex.slice(token.end, token.end + 80))
      ) {
        found.add('array');
      }
    } else if (token.kind === 'verbatim') {
      const owner = findEnvironmentPackage(token.name) ?? findCommandPackage(token.name);
      if (owner) found.add(owner);
    }
  });
  return [...found];
}

/** `a=1,b` and `b,c={x,y}` → `a=1,b,c={x,y}`. A key set twice keeps its first value. */
export function mergeOptions(lists: readonly string[]): string {
  const merged = new Map<string, string>();
  for (const list of lists) {
    for (const option of splitOptions(list)) {
      const key = option.split('=')[0]!.trim();
      if (!merged.has(key)) merged.set(key, option);
    }
  }
  return [...merged.values()].join(',');
}

/** Splits at commas outside braces. */
export function splitOptions(list: string): string[] {
  const options: string[] = [];
  let depth = 0;
  let current = '';
  for (const character of list) {
    if (character === '{') depth++;
    if (character === '}') depth--;
    if (character === ',' && depth === 0) {
      options.push(current.trim());
      current = '';
    } else current += character;
  }
  options.push(current.trim());
  return options.filter(Boolean);
}

/**
 * Returns the `\usepackage` lines: packages used in `latex`, and those declared that are used or missing from the table
 * (which then cannot tell). `refused` are never loaded (a compile found them missing), `extra` always.
 */
export function packageLines(
  latex: string,
  declared: readonly PackageUse[],
  refused: ReadonlySet<string>,
  extra: readonly string[],
): string[] {
  const options = new Map<string, string[]>();
  const used = new Set([...detectPackages(latex), ...extra]);
  for (const { name: names, options: given } of declared) {
    for (const name of names.split(',').map((one) => one.trim())) {
      if (!/^[A-Za-z0-9-]+$/.test(name) || refusedPackages.has(name)) continue;
      if (!isKnownPackage(name)) used.add(name);
      if (given && /^[^\\%#$&]*$/.test(given)) options.set(name, [...(options.get(name) ?? []), given]);
    }
  }
  for (const name of [...used]) {
    for (const implied of impliedPackages[name] ?? []) if (!options.has(implied)) used.delete(implied);
  }
  if (used.has('algpseudocode')) used.delete('algorithmicx');
  if (/\\(row|cell|column)colors?\b/.test(latex))
    options.set('xcolor', ['table', ...(options.get('xcolor') ?? [])]);
  if (/enumerate\}\s*\[\s*(label\s*=)?\s*[({]*[aAiI1][)}.:]*\s*\]/.test(latex)) {
    options.set('enumitem', ['shortlabels', ...(options.get('enumitem') ?? [])]);
  }
  return [...used]
    .filter((name) => !refused.has(name))
    .sort((a, b) => packageOrder(a) - packageOrder(b) || (a < b ? -1 : 1))
    .map((name) => {
      const merged = mergeOptions([defaultPackageOptions(name) ?? '', ...(options.get(name) ?? [])]);
      return `\\usepackage${merged ? `[${merged}]` : ''}{${name}}`;
    });
}

/** Babel's options for the languages that the system package list can hyphenate. */
const languages: Record<string, string> = {
  french: 'french',
  german: 'ngerman',
  ngerman: 'ngerman',
  spanish: 'spanish,es-minimal,es-noshorthands',
  italian: 'italian',
  portuguese: 'portuguese',
  brazilian: 'brazilian',
  dutch: 'dutch',
  swedish: 'swedish',
  danish: 'danish',
  norsk: 'norsk',
  finnish: 'finnish',
  polish: 'polish',
  czech: 'czech',
  croatian: 'croatian',
  romanian: 'romanian',
  catalan: 'catalan',
  british: 'british',
};

/** Returns the preamble lines for a language by one of its names; none for English and unknown languages. */
export function languageLines(language: string | undefined): string[] {
  const options = language ? languages[language.toLowerCase()] : undefined;
  if (!options) return [];
  // German shorthands would turn a straight quote before a vowel into an umlaut.
  const turnsQuotesOff = /ngerman|dutch|catalan|portuguese|brazilian/.test(options);
  return [
    `\\usepackage[${options}]{babel}`,
    ...(turnsQuotesOff ? ['\\AtBeginDocument{\\shorthandoff{"}}'] : []),
  ];
}

const definition =
  /^\\(newcommand|renewcommand|providecommand|newtheorem|newenvironment|DeclareMathOperator|DeclarePairedDelimiter|newcolumntype|definecolor)\b\*?/;
const setting =
  /^\\(theoremstyle|usetikzlibrary|usepgfplotslibrary|pgfplotsset|tikzset|sisetup|setlist|lstset|setlength|pagestyle|fancyhf|fancyhead|fancyfoot|lhead|chead|rhead|lfoot|cfoot|rfoot|numberwithin|captionsetup|hypersetup|DeclareSIUnit|setcounter|allowdisplaybreaks|parindent|tcbuselibrary|newtcolorbox|lstdefinestyle|lstdefinelanguage|columnsep|onehalfspacing|doublespacing|raggedbottom)\b/;

/** Returns the name that a preamble line defines, to detect a second definition; null for settings. */
export function definedName(line: string): string | null {
  const match = definition.exec(line.trim());
  if (!match) return null;
  const name = /^\s*(?:\{\s*(\\?[A-Za-z@]+\*?)\s*\}|(\\[A-Za-z@]+))/.exec(line.trim().slice(match[0].length));
  const value = name?.[1] ?? name?.[2];
  return value
    ? `${match[1] === 'newtheorem' || match[1] === 'newenvironment' ? 'environment ' : ''}${value}`
    : null;
}

/** True if a page may add the line to the preamble: a known kind of definition or setting, with balanced braces. */
export function isPreambleLine(line: string): boolean {
  const trimmed = line.trim();
  if (!definition.test(trimmed) && !setting.test(trimmed)) return false;
  if (
    /\\(write|input|include|openout|openin|read|csname|catcode|special|immediate|directlua|def|edef|gdef|let)(?![A-Za-z])/.test(
      trimmed,
    )
  ) {
    return false;
  }
  let depth = 0;
  for (const token of scanLatex(trimmed)) {
    if (token.kind === 'open') depth++;
    if (token.kind === 'close' && --depth < 0) return false;
    if (token.kind === 'break' || token.kind === 'comment') return false;
  }
  return depth === 0;
}

export interface MergedPreamble {
  lines: string[];
  /** Definitions that differ from an earlier page's, to be written at the start of the page's body. */
  redefinitions: Map<number, string[]>;
}

/** Merges the pages' preamble lines: identical ones once; a second definition of a name becomes local to its page. */
export function mergePreamble(
  pages: readonly { number: number; lines: readonly string[] }[],
): MergedPreamble {
  const lines: string[] = [];
  const libraries = { tikz: new Set<string>(), pgfplots: new Set<string>() };
  const seen = new Set<string>();
  const defined = new Map<string, string>();
  const redefinitions = new Map<number, string[]>();
  let theoremStyle: string | null = null;
  for (const { number, lines: own } of pages) {
    let ownStyle: string | null = null;
    for (const raw of own) {
      const line = raw.trim();
      const library = /^\\use(tikz|pgfplots)library\s*\{([^}]*)\}$/.exec(line);
      if (library) {
        for (const name of library[2]!.split(','))
          libraries[library[1] as 'tikz' | 'pgfplots'].add(name.trim());
        continue;
      }
      if (/^\\theoremstyle\b/.test(line)) {
        ownStyle = line;
        continue;
      }
      const name = definedName(line);
      if (name && defined.has(name)) {
        const isSame = normalise(defined.get(name)!) === normalise(line);
        // A theorem kind is defined once per document: another page's different wording is ignored.
        if (!isSame && /^\\(new|renew|provide)command/.test(line)) {
          const again = line.replace(/^\\(?:new|provide|renew)command/, '\\renewcommand');
          redefinitions.set(number, [...(redefinitions.get(number) ?? []), again]);
        }
        continue;
      }
      if (!name && seen.has(line)) continue;
      if (/^\\newtheorem\b/.test(line) && ownStyle !== theoremStyle) {
        lines.push(ownStyle ?? '\\theoremstyle{plain}');
        theoremStyle = ownStyle ?? '\\theoremstyle{plain}';
      }
      seen.add(line);
      if (name) defined.set(name, line);
      lines.push(line);
    }
  }
  const head = [
    ...(libraries.tikz.size ? [`\\usetikzlibrary{${[...libraries.tikz].join(',')}}`] : []),
    ...(libraries.pgfplots.size ? [`\\usepgfplotslibrary{${[...libraries.pgfplots].join(',')}}`] : []),
  ];
  return { lines: [...head, ...lines], redefinitions };
}

const normalise = (line: string) => line.replace(/\s+/g, '').replace(/^\\(?:new|renew|provide)command/, '');

/** Returns `\newtheorem` lines for theorem-like environments that `latex` uses and `declared` lacks. */
export function missingTheorems(latex: string, declared: readonly string[]): string[] {
  const known = new Set(declared.map(definedName));
  const used = new Set(
    [...latex.matchAll(/\\begin\{([A-Za-z]+)(\*?)\}/g)].map((match) => match[1]! + match[2]!),
  );
  return [...used].flatMap((name) => {
    const bare = name.replace('*', '').toLowerCase();
    if (!theoremEnvironments.has(bare) || known.has(`environment ${name}`)) return [];
    const word = bare[0]!.toUpperCase() + bare.slice(1);
    return [`\\newtheorem${name.endsWith('*') ? '*' : ''}{${name}}{${word}}`];
  });
}
