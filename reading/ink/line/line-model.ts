/** The line model: takes pictures of lines, returns the log probability of each token in every frame. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { openSession, Tensor } from '../../onnx-runtime.ts';
import { type FormulaLanguage, openFormulaLanguage } from './formula-language.ts';
import { framePixels, type LinePicture, lineHeight } from './line-picture.ts';
import { openWholeFormulas, type WholeFormulas } from './whole-formulas.ts';

/** Scores of one line: `frames` rows of `tokens.length` log probabilities. */
export interface LineScores {
  frames: number;
  values: Float32Array;
}

export interface LineModel {
  /** The token of each output, in order; the first is CTC's blank. */
  readonly tokens: readonly string[];
  readonly language: FormulaLanguage;
  /** How usual formulas are as wholes. */
  readonly formulas: WholeFormulas;
  score(picture: LinePicture): Promise<LineScores>;
  close(): Promise<void>;
}

const About = z.object({
  tokens: z.array(z.string()),
  height: z.literal(lineHeight),
  framePixels: z.literal(framePixels),
});

/**
 * @param path of `line-reader.onnx`; its `.json` must be next to it
 * @throws Error if either is missing or has an unexpected form
 */
export async function openLineModel(path: string): Promise<LineModel> {
  const { tokens } = About.parse(JSON.parse(await readFile(path.replace(/\.onnx$/, '.json'), 'utf8')));
  const language = await openFormulaLanguage(path.replace(/[^/]*$/, 'formula-language.json'), tokens);
  const formulas = openWholeFormulas(path.replace(/[^/]*$/, 'whole-formulas.onnx'), tokens.length);
  const session = await openSession(path);
  return {
    tokens,
    language,
    formulas,
    async score({ width, ink }) {
      const picture = new Tensor('float32', ink, [1, 1, lineHeight, width]);
      const { scores } = await session.run({ picture });
      if (!scores || scores.dims[2] !== tokens.length) throw new Error('the line model is of another form');
      return { frames: scores.dims[1]!, values: scores.data as Float32Array };
    },
    close: async () => {
      await Promise.all([session.release(), formulas.close()]);
    },
  };
}
