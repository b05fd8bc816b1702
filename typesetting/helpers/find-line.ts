/** Finds the place in the source that a helper's message is about. */
import { type CommandUse, listCommands, listPackages } from '#latex/source/read-commands.ts';
import { scanLatex } from '#latex/source/scan.ts';

/**
 * The first line outside of comments that matches, 1-based. Sources are strangers' texts: limit how far a pattern
 * searches, because a malicious source would take hours.
 */
export function findLine(latex: string, pattern: RegExp): number | null {
  const at = latex.split('\n').findIndex((line) => pattern.test(line.replace(/(?<!\\)%.*$/, '')));
  return at < 0 ? null : at + 1;
}

/** The line on which one of these packages is loaded. */
export function findPackage(latex: string, packages: readonly string[]): number | null {
  return lineOf(
    latex,
    listPackages(latex).find(({ names }) => names.some((name) => packages.includes(name))),
  );
}

/** The line of a command whose argument is this text, ignoring spaces. */
export function findArgument(latex: string, command: RegExp, text: string): number | null {
  const withoutSpaces = (words: string) => words.replace(/\s+/g, '');
  const wanted = withoutSpaces(text);
  return lineOf(
    latex,
    listCommands(scanLatex(latex), new RegExp(`^(?:${command.source})\\*?$`)).find(
      ({ argument }) => argument && withoutSpaces(latex.slice(argument.start, argument.end)) === wanted,
    ),
  );
}

function lineOf(latex: string, use: CommandUse | undefined): number | null {
  return use ? latex.slice(0, use.start).split('\n').length : null;
}
