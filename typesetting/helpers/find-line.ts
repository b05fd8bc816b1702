/**
 * Finds the place in the source that a helper's message is about. Sources are strangers' texts: how far a
 * pattern may search is limited, because a malicious source would take hours.
 */

/** The longest argument that is searched. */
const maxArgument = 2_000;

/** The first line outside of comments that matches, 1-based. */
export function findLine(latex: string, pattern: RegExp): number | null {
  const at = latex.split('\n').findIndex((line) => pattern.test(line.replace(/(?<!\\)%.*$/, '')));
  return at < 0 ? null : at + 1;
}

/** The line on which a package is loaded. */
export function findPackage(latex: string, name: RegExp): number | null {
  return findLine(
    latex,
    new RegExp(`\\\\(?:usepackage|RequirePackage)[^{]{0,500}\\{[^}]{0,500}\\b(?:${name.source})\\b`),
  );
}

/** The line of a command whose argument is this text, ignoring spaces. */
export function findArgument(latex: string, command: RegExp, text: string): number | null {
  const wanted = text.replace(/\s+/g, '');
  const begin = new RegExp(`\\\\(?:${command.source})\\*?\\s*(?:\\[[^\\]]{0,200}\\]\\s*)?\\{`, 'g');
  for (const { 0: head, index } of latex.matchAll(begin)) {
    const start = index + head.length;
    if (latex.slice(start, endOfGroup(latex, start)).replace(/\s+/g, '') === wanted)
      return latex.slice(0, index).split('\n').length;
  }
  return null;
}

/** Where the group that begins at `start`, after its brace, ends. */
function endOfGroup(latex: string, start: number): number {
  let depth = 1;
  const end = Math.min(latex.length, start + maxArgument);
  for (let at = start; at < end; at++) {
    const sign = latex[at];
    if (sign === '\\') at++;
    else if (sign === '{') depth++;
    else if (sign === '}' && --depth === 0) return at;
  }
  return end;
}
