import { type Command, InvalidArgumentError, Option } from 'commander';
import { doubtForms } from '#shared/api/exchange.ts';
import { readerIds } from '#shared/api/reader.ts';
import type { PageRange } from '../../conversion/index.ts';
import type { ConvertFlags } from './run-convert.ts';

/** `inkproof convert`: its arguments and exit codes. */
export function registerConvertCommand(program: Command): void {
  program
    .command('convert')
    .description('convert PDFs and pictures of notes to LaTeX and PDF')
    .argument('<files...>', 'PDF or pictures; several become one document in the order given')
    .option(
      '-o, --output <folder>',
      'where to write NAME.tex and NAME.pdf; NAME is that of the first file',
      '.',
    )
    .option('--pages <range>', 'pages to convert, e.g. 2-5, 3, or 4- (counted across all files)', parsePages)
    .addOption(
      new Option(
        '--reader <reader>',
        'which reader to use; default: the vision model if one is configured',
      ).choices(readerIds),
    )
    .addOption(
      new Option('--drawings <form>', 'what drawings become').choices(['figure', 'tikz']).default('figure'),
    )
    .addOption(
      new Option(
        '--doubts <form>',
        'readings that it doubts: marked in the LaTeX by \\unsure{…}, which prints as if it were not there; in colour, in the PDF as well; or not marked',
      )
        .choices(doubtForms)
        .default('marked'),
    )
    .option(
      '--json',
      'print one JSON object: files, warnings, and each doubt with its page and its ink',
      false,
    )
    .option('--force', 'replace files of the same name instead of choosing another name', false)
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 not converted, 3 written without some pages, 130 interrupted.',
    )
    .action(async (files: string[], flags: Omit<ConvertFlags, 'pages'> & { pages?: PageRange }) => {
      const { runConvert } = await import('./run-convert.ts');
      const pages = flags.pages ?? { startPage: 1, endPage: null };
      process.exitCode = await runConvert(files, { ...flags, pages });
    });
}

/** Reads `2-5`, `3`, `4-` and `-5`. @throws InvalidArgumentError, which commander prints */
export function parsePages(text: string): PageRange {
  const [, from, dash, to] = /^(\d{1,9})?(-)?(\d{1,9})?$/.exec(text.trim()) ?? [];
  const isRange = dash !== undefined;
  const startPage = from === undefined ? 1 : Number(from);
  const endPage = isRange ? (to === undefined ? null : Number(to)) : startPage;
  if ((from === undefined && to === undefined) || startPage < 1 || (endPage !== null && endPage < startPage))
    throw new InvalidArgumentError(
      'Write a range of pages such as 2-5, a single page such as 3, or 4- for the fourth page and on.',
    );
  return { startPage, endPage };
}
