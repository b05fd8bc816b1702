/** The line model: pictures of lines in, for every frame the log probability of each token out. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { openSession, Tensor } from '../../onnx-runtime.ts';
import { framePixels, type LinePicture, lineHeight } from './line-picture.ts';

/** What one line's frames say: `frames` rows of `tokens.length` log probabilities. */
export interface LineScores {
  frames: number;
  values: Float32Array;
}

export interface LineModel {
  /** What each output means, in their order; the first is CTC's blank. */
  readonly tokens: readonly string[];
  score(picture: LinePicture): Promise<LineScores>;
  close(): Promise<void>;
}

const About = z.object({
  tokens: z.array(z.string()),
  height: z.literal(lineHeight),
  framePixels: z.literal(framePixels),
});

/**
 * @param path of `line-reader.onnx`, beside its `.json`
 * @throws Error when one of them is missing or of another form
 */
export async function openLineModel(path: string): Promise<LineModel> {
  const { tokens } = About.parse(JSON.parse(await readFile(path.replace(/\.onnx$/, '.json'), 'utf8')));
  const session = await openSession(path);
  return {
    tokens,
    async score({ width, ink }) {
      const picture = new Tensor('float32', ink, [1, 1, lineHeight, width]);
      const { scores } = await session.run({ picture });
      if (!scores || scores.dims[2] !== tokens.length) throw new Error('the line model is of another form');
      return { frames: scores.dims[1]!, values: scores.data as Float32Array };
    },
    close: () => session.release(),
  };
}
