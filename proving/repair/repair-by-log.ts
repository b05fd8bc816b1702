/** Repair by rule from TeX's messages: repairs what a message names, at its line. */

import { editDistance } from '#latex/log/names.ts';
import { floatEnvironments } from '#latex/source/commands.ts';
import { escapeLatex } from '#latex/source/escape.ts';
import { readGroup, readOptional, skipSpace } from '#latex/source/matches.ts';
import { findCommandPackage, findEnvironmentPackage } from '#latex/source/package-table.ts';
import { scanLatex } from '#latex/source/scan.ts';
import type { Splice } from '#latex/source/splice.ts';
import { annotate } from '#latex/source/syntax.ts';
import type { LogMessage } from '#shared/api/errors.ts';

/** Misspelt commands and those of other systems, with the one meant. */
const meant: Record<string, string> = {
  fract: 'frac',
  farc: 'frac',
  frca: 'frac',
  ffrac: 'frac',
  sqr: 'sqrt',
  sqaure: 'square',
  lamda: 'lambda',
  labmda: 'lambda',
  theata: 'theta',
  epsillon: 'epsilon',
  infinty: 'infty',
  infinity: 'infty',
  inf: 'inf',
  integral: 'int',
  summ: 'sum',
  rightarow: 'rightarrow',
  leftarow: 'leftarrow',
  Rightarow: 'Rightarrow',
  implie: 'implies',
  degrees: 'degree',
  R: 'mathbb{R}',
  N: 'mathbb{N}',
  Z: 'mathbb{Z}',
  Q: 'mathbb{Q}',
  C: 'mathbb{C}',
  real: 'mathbb{R}',
  reals: 'mathbb{R}',
  bold: 'mathbf',
  bf: 'bfseries',
  italic: 'textit',
  itemise: 'item',
  itm: 'item',
  bgein: 'begin',
  sin: 'sin',
  arccot: 'operatorname{arccot}',
  arcsec: 'operatorname{arcsec}',
  arccsc: 'operatorname{arccsc}',
  arsinh: 'operatorname{arsinh}',
  arcosh: 'operatorname{arcosh}',
  artanh: 'operatorname{artanh}',
  sgn: 'operatorname{sgn}',
  sign: 'operatorname{sign}',
  diag: 'operatorname{diag}',
  rank: 'operatorname{rank}',
  rk: 'operatorname{rk}',
  tr: 'operatorname{tr}',
  Tr: 'operatorname{Tr}',
  trace: 'operatorname{tr}',
  im: 'operatorname{im}',
  id: 'operatorname{id}',
  Var: 'operatorname{Var}',
  Cov: 'operatorname{Cov}',
  E: 'mathbb{E}',
  P: 'mathbb{P}',
  lcm: 'operatorname{lcm}',
  ord: 'operatorname{ord}',
  grad: 'operatorname{grad}',
  curl: 'operatorname{curl}',
  divergence: 'operatorname{div}',
  argmin: 'operatorname{arg\\,min}',
  argmax: 'operatorname{arg\\,max}',
  span: 'operatorname{span}',
  ker: 'ker',
  dd: 'mathrm{d}',
  d: 'mathrm{d}',
  e: 'mathrm{e}',
  i: 'mathrm{i}',
  textdegree: 'ensuremath{^\\circ}',
};

export interface LogRepair {
  splices: Splice[];
  packages: string[];
}

/** Lists the names of commands used in a text, once each. */
export function commandNames(body: string): string[] {
  return [
    ...new Set(
      scanLatex(body).flatMap((token) =>
        token.kind === 'command' && /^[A-Za-z]{1,40}\*?$/.test(token.name)
          ? [token.name.replace('*', '')]
          : [],
      ),
    ),
  ];
}

/** Repairs undefined commands: loads the package, writes the command meant, or keeps only the argument. */
export function repairUndefinedCommands(body: string, undefinedNames: ReadonlySet<string>): LogRepair {
  const { tokens, spots } = annotate(body);
  const splices: Splice[] = [];
  const packages = new Set<string>();
  tokens.forEach((token, index) => {
    if (token.kind !== 'command' || !undefinedNames.has(token.name.replace('*', ''))) return;
    const name = token.name.replace('*', '');
    const owner = findCommandPackage(name);
    const isMath = spots[index]!.mode === 'math';
    const instead = meant[name];
    const next = tokens[skipSpace(tokens, index + 1)];
    // The package is not loaded although its command is used: it was refused, or the command was defined.
    if (owner && !instead) packages.add(owner);
    if (instead && instead !== name) {
      const isStarving =
        (/frac|sqrt|mathbf|textit/.test(instead) && next?.kind !== 'open') ||
        (!isMath && instead.startsWith('operatorname'));
      if (!isStarving) {
        const needsMath =
          !isMath && /^(math|operatorname|infty|int|sum|lambda|theta|epsilon|frac|sqrt|square)/.test(instead);
        const replacement = needsMath ? `$\\${instead}$` : `\\${instead}`;
        if (!needsMath || !/frac|sqrt/.test(instead)) {
          const glue = /[A-Za-z]$/.test(replacement) && /[A-Za-z]/.test(body[token.end] ?? '') ? ' ' : '';
          splices.push({ start: token.start, end: token.end, text: replacement + glue });
          return;
        }
      }
    }
    if (owner && !instead) return;
    const optional = next?.kind === 'bracket-open' && !isMath ? readOptional(tokens, index + 1) : null;
    const group = readGroup(tokens, optional ? optional.close + 1 : index + 1);
    if (group && tokens[group.open]!.start - (optional ? tokens[optional.close]!.end : token.end) <= 1) {
      // `\foo{words}`: keeps the words, removes the command.
      splices.push({ start: token.start, end: tokens[group.open]!.start, text: '' });
    } else if (isMath) {
      splices.push({ start: token.start, end: token.end, text: `\\mathrm{${name}}` });
    } else splices.push({ start: token.start, end: token.end, text: escapeLatex(`\\${name}`) });
  });
  return { splices, packages: [...packages] };
}

const environmentNames =
  'itemize enumerate description equation align align* gather center tabular figure table verbatim proof theorem lemma definition example quote cases pmatrix bmatrix matrix aligned tikzpicture minipage abstract equation* gather* multline array'.split(
    ' ',
  );

const isClose = (a: string, b: string) => editDistance(a, b) <= (a.length <= 5 ? 1 : 2);

/** Repairs an undefined environment: loads the package, writes the one meant, or keeps only the content. */
export function repairUndefinedEnvironment(body: string, name: string): LogRepair {
  const owner = findEnvironmentPackage(name);
  if (owner) return { splices: [], packages: [owner] };
  const instead = environmentNames.find((known) => isClose(name.toLowerCase(), known));
  const { tokens, spots } = annotate(body);
  const splices: Splice[] = [];
  tokens.forEach((token, index) => {
    if ((token.kind !== 'begin' && token.kind !== 'end') || token.name !== name) return;
    if (instead) {
      splices.push({ start: token.start, end: token.end, text: `\\${token.kind}{${instead}}` });
      return;
    }
    // Options such as `[title=…]` would be printed as text.
    const optional =
      token.kind === 'begin' && tokens[index + 1]?.kind === 'bracket-open'
        ? readOptional(tokens, index + 1)
        : null;
    const shown =
      optional && !body.slice(optional.start, optional.end).includes('=')
        ? `\\textbf{${body.slice(optional.start, optional.end)}} `
        : '';
    splices.push({
      start: token.start,
      end: optional ? tokens[optional.close]!.end : token.end,
      // A paragraph cannot end within an argument.
      text: spots[index]!.depth === 0 ? `\\par ${shown}` : ` ${shown}`,
    });
  });
  return { splices, packages: [] };
}

const operators =
  /^(sum|prod|coprod|int|iint|iiint|oint|lim|limsup|liminf|max|min|sup|inf|det|gcd|Pr|big[a-z]+|mathop|operatorname\*?)$/;

/** Repairs what the message names within `[start, end)` of a body; null if no rule knows the message. */
export function repairByMessage(
  body: string,
  message: LogMessage,
  start: number,
  end: number,
): Splice[] | null {
  const within = scanLatex(body).filter((token) => token.start >= start && token.end <= end);
  const drop = (test: RegExp): Splice[] =>
    within.flatMap((token) =>
      token.kind === 'command' && test.test(token.name)
        ? [{ start: token.start, end: token.end, text: '' }]
        : [],
    );
  if (/Limit controls must follow a math operator/.test(message.message)) {
    return within.flatMap((token, index) => {
      if (token.kind !== 'command' || !/^(limits|nolimits|displaylimits)$/.test(token.name)) return [];
      const previous = within[index - 1];
      const isAllowed =
        previous?.kind === 'close' || (previous?.kind === 'command' && operators.test(previous.name));
      return isAllowed ? [] : [{ start: token.start, end: token.end, text: '' }];
    });
  }
  if (/Not in outer par mode|Float\(s\) lost/.test(message.message)) return unfloat(body, start);
  if (/Something's wrong--perhaps a missing \\item/.test(message.message)) {
    const begin = within.find((token) => token.kind === 'begin' || token.kind === 'end');
    return begin?.kind === 'begin' ? [{ start: begin.end, end: begin.end, text: '\\item ' }] : null;
  }
  if (/There's no line here to end/.test(message.message))
    return drop(/^(\\|newline|linebreak)$/).slice(0, 1);
  if (/\\(tag|label|notag|nonumber) not allowed|Multiple \\label|\\tag not allowed/.test(message.message))
    return drop(/^(tag\*?|notag|nonumber)$/);
  if (/Missing number|Illegal unit of measure|Dimension too large/.test(message.message))
    return drop(
      /^(hspace|vspace|hskip|vskip|kern|parskip|itemsep|baselineskip|fontsize|setlength|addtolength)\*?$/,
    );
  if (/Illegal parameter number|macro parameter character/.test(message.message)) {
    return within.flatMap((token) =>
      token.kind === 'hash' ? [{ start: token.start, end: token.end, text: '\\#' }] : [],
    );
  }
  if (/^(LaTeX Error: )?.*No counter|Missing \\cr inserted/.test(message.message))
    return drop(/^(setcounter|addtocounter|stepcounter)$/);
  return null;
}

/** Replaces a float where none is allowed (in a box, a table) by centred material with its caption. */
function unfloat(body: string, near: number): Splice[] {
  const tokens = scanLatex(body);
  let best = -1;
  tokens.forEach((token, index) => {
    if (token.kind === 'begin' && floatEnvironments.has(token.name) && token.start <= near + 200)
      best = index;
  });
  if (best < 0) return [];
  const begin = tokens[best]!;
  const endIndex = tokens.findIndex(
    (token, index) => index > best && token.kind === 'end' && token.name === begin.name,
  );
  if (endIndex < 0) return [];
  const placement = readOptional(tokens, best + 1);
  const kind = begin.name.replace('*', '');
  return [
    {
      start: begin.start,
      end: placement ? tokens[placement.close]!.end : begin.end,
      text: '\\begin{center}',
    },
    { start: tokens[endIndex]!.start, end: tokens[endIndex]!.end, text: '\\end{center}' },
    ...tokens
      .slice(best, endIndex)
      .flatMap((token) =>
        token.kind === 'command' && token.name === 'caption'
          ? [{ start: token.start, end: token.end, text: `\\captionof{${kind}}` }]
          : [],
      ),
  ];
}
