/** Puts messages where the reader of the document can act on them, with the document's source at hand. */
import type { LogMessage } from '#shared/api/errors.ts';

interface Place {
  message: LogMessage;
  /** The text TeX was swallowing when it noticed, if any. */
  runaway: string;
}

/**
 * Corrects file and line where TeX names a later one, or one inside a package: a missing file is where it is asked for,
 * an unclosed brace or environment where it opens, a package's complaint where the package is loaded.
 * @param document the name TeX knows the source by.
 */
export function locate({ message, runaway }: Place, source: string, document: string): LogMessage {
  const moved = (line: number | null): LogMessage =>
    line === null ? message : { ...message, file: document, line };
  const lines = source.split('\n');
  const missing = /^LaTeX Error: File `(.+?)(?:\.(?:sty|cls|tex))?' not found/.exec(message.message);
  if (missing)
    return moved(
      findLine(lines, new RegExp(`\\\\[A-Za-z]+\\*?(?:\\[[^\\]]*\\])?\\{[^}]*${literal(missing[1]!)}`)),
    );
  const unclosed = /^LaTeX Error: \\begin\{\S+?\} on input line (\d+) ended by \\end\{document\}/.exec(
    message.message,
  );
  if (unclosed) return moved(Number(unclosed[1]));
  if (/^File ended while scanning/.test(message.message) && runaway !== '')
    return moved(findRunaway(lines, runaway));
  const packaged = /^\/.*?([^/]+)\.(?:sty|cls|def|ldf|cfg|tex|code\.tex)$/.exec(message.file ?? '');
  if (packaged) {
    const line = findLine(
      lines,
      new RegExp(
        `\\\\(?:usepackage|RequirePackage|documentclass)[^{]*\\{[^}]*\\b${literal(packaged[1]!)}\\b`,
      ),
    );
    return line === null ? { ...message, file: document, line: null } : moved(line);
  }
  return message;
}

/** First line outside of comments that matches, 1-based. */
function findLine(lines: string[], pattern: RegExp): number | null {
  const index = lines.findIndex((line) => pattern.test(line.replace(/(?<!\\)%.*$/, '')));
  return index < 0 ? null : index + 1;
}

/** The line whose text TeX quotes as the beginning of the runaway. */
function findRunaway(lines: string[], runaway: string): number | null {
  const quoted = runaway
    .replace(/^[\s{]*(?:\^\^M)*/, '')
    .split(/\\par\b|\^\^M|\\ETC\./)[0]!
    .trim();
  if (quoted.length < 3) return null;
  // TeX adds a space after each command it quotes
  const pattern = quoted.slice(0, 80).split(/\s+/).map(literal).join('\\s*');
  return findLine(lines, new RegExp(pattern));
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
