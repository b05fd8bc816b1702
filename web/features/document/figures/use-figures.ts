/** A document's figures: on the server, and their bytes here for compiling. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Figure } from '#shared/api/conversion.ts';
import type { SavedDocument } from '#shared/api/library.ts';
import { maxFiguresBytes } from '#shared/api/limits.ts';
import type { ApiResult } from '#web/lib/api/api-client.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { deleteFigure, getFigure, putFigure } from '#web/lib/api/document-api.ts';
import { withText } from '#web/lib/figure-text.ts';
import { decodeBase64 } from '#web/lib/pdf/pdf-address.ts';
import { nameFigure } from './figure-names.ts';
import { encodeFigure, readPicture } from './read-picture.ts';

export interface Figures {
  /** Null until all are loaded: the document would not compile without one. */
  files: readonly Figure[] | null;
  /** Why loading or the last change failed; null if all went well. */
  problem: string | null;
  dismissProblem: () => void;
  fetchAgain: () => void;
  /**
   * @returns its name, which can be inserted in the text at once while it is being uploaded. Null with a `problem`.
   */
  add: (file: File) => Promise<string | null>;
  /**
   * Creates a text file.
   * @returns whether it exists now
   */
  create: (name: string, text: string) => Promise<boolean>;
  /** Receives a text that is saved elsewhere (`files/file-editor.tsx`), for compiling. */
  setText: (name: string, text: string) => void;
  /** @returns whether it now has this name */
  rename: (from: string, to: string) => Promise<boolean>;
  remove: (name: string) => Promise<boolean>;
}

const tooLarge = `Figures can be up to ${maxFiguresBytes / 1_000_000} MB in total.`;

export function useFigures(document: SavedDocument): Figures {
  const [files, setFiles] = useState<readonly Figure[] | null>(document.figures.length === 0 ? [] : null);
  const [problem, setProblem] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  const latest = useRef(files);
  const put = useCallback((next: readonly Figure[]) => {
    latest.current = next;
    setFiles(next);
  }, []);

  const { id, figures: listed } = document;
  useEffect(() => {
    if (latest.current !== null) return;
    // a retry: runs the effect again
    void tries;
    const end = new AbortController();
    Promise.all(listed.map((one) => fetchFigure(id, one, end.signal))).then(
      (fetched) => {
        const failed = fetched.find((one) => !one.ok);
        if (failed && !failed.ok)
          return setProblem(`A figure could not be fetched. ${describeError(failed.error)}`);
        setProblem(null);
        put(fetched.flatMap((one) => (one.ok ? [one.data] : [])));
      },
      // the page was closed
      () => undefined,
    );
    return () => end.abort();
  }, [id, listed, put, tries]);

  return useMemo((): Figures => {
    const others = (name: string) => (latest.current ?? []).filter((figure) => figure.name !== name);
    const fail = (title: string, answer: ApiResult<unknown>) =>
      setProblem(answer.ok ? title : `${title} ${describeError(answer.error)}`);
    const showKept = async (name: string, media_type: Figure['media_type']) => {
      const stored = await fetchFigure(id, { name, media_type }, new AbortController().signal);
      const shown = latest.current?.find((figure) => figure.name === name);
      if (stored.ok && shown && stored.data.data_base64 !== shown.data_base64)
        put([...others(name), stored.data]);
    };
    return {
      files,
      problem,
      dismissProblem: () => setProblem(null),
      fetchAgain: () => {
        setProblem(null);
        setTries((count) => count + 1);
      },
      async add(file) {
        setProblem(null);
        const picture = await readPicture(file);
        if (picture === null) {
          setProblem(
            `“${file.name}” cannot be used. Add a PNG, a JPEG, a PDF, or a text file that LaTeX reads (.bib, .sty, .csv …).`,
          );
          return null;
        }
        const known = latest.current ?? [];
        const names = known.map((figure) => figure.name);
        const name = nameFigure(file.name, picture.type, names);
        const before = known.find((figure) => figure.name === name);
        const rest = others(name);
        const bytes = rest.reduce((sum, figure) => sum + sizeOf(figure), picture.blob.size);
        if (bytes > maxFiguresBytes) {
          setProblem(`“${file.name}” does not fit. ${tooLarge}`);
          return null;
        }
        put([...rest, await encodeFigure(name, picture)]);
        void putFigure(id, name, picture.blob).then(async (answer) => {
          if (answer.ok) {
            // the server turns photos upright: load its version
            if (picture.type === 'image/jpeg') await showKept(name, picture.type);
            return;
          }
          put(before ? [...others(name), before] : others(name));
          fail(`“${name}” could not be saved.`, answer);
        });
        return name;
      },
      async create(name, text) {
        setProblem(null);
        const blob = new Blob([text], { type: 'application/octet-stream' });
        const answer = await putFigure(id, name, blob);
        if (!answer.ok) {
          fail(`“${name}” could not be created.`, answer);
          return false;
        }
        put([...others(name), await encodeFigure(name, { blob, type: 'application/octet-stream' })]);
        return true;
      },
      setText(name, text) {
        put((latest.current ?? []).map((one) => (one.name === name ? withText(one, text) : one)));
      },
      async rename(from, to) {
        const figure = latest.current?.find(({ name }) => name === from);
        if (!figure) return false;
        const answer = await putFigure(id, to, toBlob(figure));
        if (!answer.ok) {
          fail(`“${from}” could not be renamed.`, answer);
          return false;
        }
        put((latest.current ?? []).map((one) => (one.name === from ? { ...one, name: to } : one)));
        // having it under both names would be harmless
        void deleteFigure(id, from);
        return true;
      },
      async remove(name) {
        const answer = await deleteFigure(id, name);
        if (!answer.ok && answer.error.code !== 'NOT_FOUND') {
          fail(`“${name}” could not be removed.`, answer);
          return false;
        }
        put(others(name));
        return true;
      },
    };
  }, [files, problem, id, put]);
}

async function fetchFigure(
  id: string,
  { name, media_type }: Pick<Figure, 'name' | 'media_type'>,
  signal: AbortSignal,
): Promise<ApiResult<Figure>> {
  const answer = await getFigure(id, name, signal);
  return answer.ok
    ? { ok: true, data: await encodeFigure(name, { blob: answer.data, type: media_type }) }
    : answer;
}

/** Size in bytes, from the length of its base64. */
export function sizeOf({ data_base64 }: Figure): number {
  return Math.floor((data_base64.length * 3) / 4);
}

function toBlob({ data_base64, media_type }: Figure): Blob {
  return new Blob([decodeBase64(data_base64)], { type: media_type });
}
