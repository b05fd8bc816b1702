/**
 * Indexes: each file of `\indexentry` lines that a document left, by makeidx, imakeidx, index, splitidx or a
 * class.
 */
import { literal } from '#latex/source/escape.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import { findArgument, findLine } from '../find-line.ts';
import { type Compiled, type HelperPlan, type HelperTask, isPlainName } from '../helper.ts';
import { makeindexTask } from './makeindex-task.ts';
import { splitEntries } from './split-entries.ts';

const maxIndexes = 20;
const entry = '\\indexentry';

export function planIndexes(compiled: Compiled): HelperPlan {
  const plan: HelperPlan = { tasks: [], messages: [] };
  const calls = readMakeIndexCalls(compiled);
  for (const [file, bytes] of compiled.left) {
    if (!isPlainName(file) || !bytes.subarray(0, entry.length).equals(Buffer.from(entry))) continue;
    for (const [entries, own] of splitEntries(file, bytes)) {
      if (plan.tasks.length >= maxIndexes) return plan;
      const makes = nameOfList(entries, compiled.latex);
      if (!makes) continue;
      const { program, options } = calls.get(entries) ?? { program: 'makeindex', options: [] };
      const isOurs = program === 'makeindex';
      plan.tasks.push(toTask(entries, own, makes, isOurs ? options : [], compiled));
      if (!isOurs) plan.messages.push(sortedOtherwise(entries, program, compiled.latex));
    }
  }
  return plan;
}

/** imakeidx would run a program itself, and reports which one. */
const wouldRun = /^imakeidx: Remember to run [^`‘'"]{1,200}[`‘'"]([^'’"]{1,500})['’"]/;

interface MakeIndexCall {
  program: string;
  options: string[];
}

function readMakeIndexCalls({ messages }: Compiled): Map<string, MakeIndexCall> {
  return new Map(
    messages.flatMap(({ message }) => {
      // `makeindex -s own.ist people.idx'
      const words = wouldRun.exec(message)?.[1]?.trim().split(/\s+/) ?? [];
      const [program = '', ...options] = words;
      const entries = options.pop();
      return entries ? [[entries, { program, options }] as const] : [];
    }),
  );
}

/** `\newindex{authors}{adx}{and}{…}` of the package index names both endings; otherwise `.idx` becomes `.ind`. */
function nameOfList(entries: string, latex: string): string | null {
  const [, base, ending] = /^(.*)\.([^.]+)$/.exec(entries) ?? [];
  if (!base) return null;
  if (ending === 'idx') return `${base}.ind`;
  const made = new RegExp(
    `\\\\(?:re)?newindex\\s*\\{[^}]{0,100}\\}\\s*\\{${literal(ending!)}\\}\\s*\\{([A-Za-z0-9]{1,9})\\}`,
  );
  const own = made.exec(latex)?.[1];
  return own ? `${base}.${own}` : null;
}

function toTask(
  entries: string,
  bytes: Buffer,
  makes: string,
  options: string[],
  compiled: Compiled,
): HelperTask {
  const { args, style } = allowOptions(options);
  const own = style === null ? undefined : compiled.assets.find(({ name }) => name === style)?.bytes;
  const left = style === null ? undefined : compiled.left.get(style);
  const content = own ?? left;
  return makeindexTask({
    entries,
    bytes,
    makes,
    args,
    ...(content && { style: [style!, content] as const }),
    what: 'The index',
    lineOf: (written) =>
      findArgument(compiled.latex, /s?index/, written.replace(/\|hyperpage$/, '')) ??
      findLine(compiled.latex, /\\(?:make|new)index\b/),
  });
}

/** Options for sorting and printing; none that names another file to read or write. */
function allowOptions(options: readonly string[]): { args: string[]; style: string | null } {
  const args: string[] = [];
  let style: string | null = null;
  for (let at = 0; at < options.length; at++) {
    const option = options[at]!;
    const value = options[at + 1] ?? '';
    if (/^-[cglrLT]+$/.test(option)) args.push(option);
    else if (option === '-p' && /^(?:\d{1,5}|any|odd|even)$/.test(value)) args.push(option, options[++at]!);
    else if (option === '-s' && isPlainName(value)) {
      style = /\.\w+$/.test(value) ? value : `${value}.ist`;
      args.push(option, style);
      at++;
    }
  }
  return { args, style };
}

/** xindy's entries work with MakeIndex too; what differs is the order, and what a xindy style would have done. */
function sortedOtherwise(entries: string, program: string, latex: string): LogMessage {
  const name = entries.replace(/\.idx$/, '');
  return {
    level: 'warning',
    file: 'main.tex',
    line:
      findLine(latex, new RegExp(`\\\\makeindex\\s*\\[[^\\]]{0,500}\\bname\\s*=\\s*${literal(name)}\\b`)) ??
      findLine(latex, /\\makeindex\b/),
    message: `${name === 'main' ? 'The index' : `The index “${name}”`} was made by MakeIndex: ${program} is not run here.`,
    explanation: 'Letters beyond ASCII may be sorted in another order, and a style for xindy is not applied.',
    suggestion: 'Write program=makeindex, or sort such entries by hand: \\index{Arger@Ärger}.',
  };
}
