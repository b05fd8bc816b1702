/** The files that `inkproof convert` writes: NAME.tex, NAME.pdf, and the figures next to them. */
import { mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { invalidInput } from '#platform/errors.ts';

export interface WriteOutputsOptions {
  document: {
    latex: string;
    pdf: Uint8Array;
    figures: readonly { name: string; bytes: Uint8Array }[];
  };
  folder: string;
  /** Wanted name without ending. */
  name: string;
  /** Files that are never replaced, even if others are. */
  inputs: readonly string[];
  /** Replace files of the same name; otherwise use NAME-2, NAME-3, … */
  shouldReplace: boolean;
}

const maxNames = 1000;

/**
 * Writes the outputs and returns their paths, the .tex first. Each file appears complete or not at all.
 * @throws ApiError INVALID_INPUT if the folder cannot be written
 */
export async function writeOutputs(options: WriteOutputsOptions): Promise<string[]> {
  const { document, folder, name, shouldReplace } = options;
  try {
    await mkdir(folder, { recursive: true });
    const inputs = new Set(await Promise.all(options.inputs.map((file) => realpath(file))));
    for (let number = 1; number <= maxNames; number++) {
      const outputs = nameOutputs(document, number === 1 ? name : `${name}-${number}`);
      const targets = outputs.map((output) => ({ ...output, path: path.join(folder, output.name) }));
      const states = await Promise.all(targets.map(({ path: target }) => lookAt(target, inputs)));
      if (states.some((state) => state === 'input' || (state === 'there' && !shouldReplace))) continue;
      for (const target of targets) await writeWhole(target.path, target.content);
      return targets.map((target) => target.path);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code === 'string' && /^E[A-Z]+$/.test(code))
      throw invalidInput(
        `The result cannot be written to ${folder} (${code}). Choose another folder with -o.`,
      );
    throw error;
  }
  throw invalidInput(`${folder} has too many files named ${name}. Choose another folder with -o.`);
}

/** Figures carry the document's name, so that several documents can share a folder. */
function nameOutputs(document: WriteOutputsOptions['document'], name: string) {
  const prefix =
    name
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'notes';
  let { latex } = document;
  for (const figure of document.figures)
    latex = latex.replaceAll(`{${figure.name}}`, `{${prefix}-${figure.name}}`);
  return [
    { name: `${name}.tex`, content: latex },
    { name: `${name}.pdf`, content: document.pdf },
    ...document.figures.map((figure) => ({ name: `${prefix}-${figure.name}`, content: figure.bytes })),
  ];
}

async function lookAt(target: string, inputs: ReadonlySet<string>): Promise<'free' | 'there' | 'input'> {
  const found = await stat(target).catch(() => null);
  if (!found) return 'free';
  return inputs.has(await realpath(target)) ? 'input' : 'there';
}

async function writeWhole(target: string, content: string | Uint8Array): Promise<void> {
  const draft = `${target}.${process.pid}.part`;
  try {
    await writeFile(draft, content);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
