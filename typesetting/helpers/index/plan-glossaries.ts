/** Glossaries and lists of acronyms by the package glossaries: main.aux says which, in which style and order. */
import { literal } from '#latex/source/escape.ts';
import { findArgument, findLine, findPackage } from '../find-line.ts';
import { type Compiled, type HelperPlan, isPlainName } from '../helper.ts';
import { notRun } from '../not-run.ts';
import { makeindexTask } from './makeindex-task.ts';

const maxGlossaries = 20;

export function planGlossaries(compiled: Compiled): HelperPlan {
  const { latex, left, assets } = compiled;
  const plan: HelperPlan = { tasks: [], messages: [] };
  const bytes = left.get('main.aux');
  if (!bytes?.includes('\\@newglossary') && !bytes?.includes('\\glsxtr@resource')) return plan;
  const aux = bytes.toString('utf8');
  const loaded = () => findPackage(latex, ['glossaries', 'glossaries-extra']);
  if (/^\\glsxtr@resource\{/m.test(aux))
    plan.messages.push(
      notRun({
        what: 'The glossary',
        program: 'bib2gls',
        line: findLine(latex, /\\GlsXtrLoadResources\b/) ?? loaded(),
        instead:
          'Define the entries by \\newglossaryentry, and use \\makeglossaries without the option record.',
      }),
    );
  const style = /^\\@istfilename\{"?([^{}"]+)"?\}/m.exec(aux)?.[1] ?? '';
  const found = aux.matchAll(
    /^\\@newglossary\{([^{}]*)\}\{([\w-]{1,20})\}\{([\w-]{1,20})\}\{([\w-]{1,20})\}/gm,
  );
  for (const [, type, , out, entering] of [...found].slice(0, maxGlossaries)) {
    const entries = `main.${entering}`;
    const written = left.get(entries);
    if (!written || written.length === 0 || style === '') continue;
    if (style.endsWith('.xdy')) {
      plan.messages.push(
        notRun({
          what: type === 'main' ? 'The glossary' : `The glossary “${type}”`,
          program: 'xindy',
          line: loaded(),
          instead: 'Remove the option xindy of glossaries: MakeIndex sorts it then.',
        }),
      );
      continue;
    }
    const styleBytes = left.get(style) ?? assets.find(({ name }) => name === style)?.bytes;
    if (!isPlainName(style) || !styleBytes) continue;
    plan.tasks.push(
      makeindexTask({
        entries,
        bytes: written,
        makes: `main.${out}`,
        args: [...(/^\\@glsorder\{letter\}/m.test(aux) ? ['-l'] : []), '-s', style],
        style: [style, styleBytes],
        what: 'The glossary',
        lineOf(entry) {
          const key = /\\glossentry \{([^{}]*)\}|\\glossentry\{([^{}]*)\}/
            .exec(entry)
            ?.slice(1)
            .find(Boolean);
          const defines = /(?:long)?(?:new|provide)(?:glossaryentry|acronym|abbreviation|term|symbol|number)/;
          return key
            ? (findArgument(latex, defines, key) ?? findLine(latex, new RegExp(`\\{${literal(key)}\\}`)))
            : null;
        },
      }),
    );
  }
  return plan;
}
