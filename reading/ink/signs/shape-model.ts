/** The model that names handwritten signs by their shape alone (`training/written`). */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { openSession, Tensor } from '../../onnx-runtime.ts';
import type { FoundSign } from './find-signs.ts';
import { side, signPicture, stretch } from './sign-picture.ts';

const About = z.object({
  side: z.literal(side),
  stretch: z.literal(stretch),
  shapes: z.array(z.array(z.string())),
  boxes: z.record(z.string(), z.tuple([z.number(), z.number()])),
});

export interface ShapeModel {
  /** The tokens of each shape: some signs are drawn alike. The last shape has none: part of a sign, or several. */
  readonly shapes: readonly (readonly string[])[];
  /** Each token's bottom and top above the baseline, em. */
  readonly boxes: Readonly<Record<string, readonly [number, number]>>;
  /**
   * @param size length of the median sign, px
   * @returns for each sign the natural logarithm of each shape's probability
   */
  name(signs: readonly FoundSign[], size: number): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/**
 * @param path of `written-signs.onnx`; its `.json` must be next to it
 * @throws Error if either is missing or has an unexpected form
 */
export async function openShapeModel(path: string): Promise<ShapeModel> {
  const { shapes, boxes } = About.parse(JSON.parse(await readFile(path.replace(/\.onnx$/, '.json'), 'utf8')));
  const session = await openSession(path);
  return {
    shapes,
    boxes,
    async name(signs, size) {
      if (signs.length === 0) return [];
      const pictures = new Float32Array(signs.length * side * side);
      const sizes = new Float32Array(signs.length * 2);
      for (const [at, sign] of signs.entries()) {
        pictures.set(signPicture(sign), at * side * side);
        sizes[2 * at] = Math.log2(sign.height / size);
        sizes[2 * at + 1] = Math.log2(sign.width / size);
      }
      const { scores } = await session.run({
        pictures: new Tensor('float32', pictures, [signs.length, 1, side, side]),
        sizes: new Tensor('float32', sizes, [signs.length, 2]),
      });
      if (!scores || scores.dims[1] !== shapes.length)
        throw new Error('the model of shapes is of another form');
      const values = scores.data as Float32Array;
      return signs.map((_, at) => values.slice(at * shapes.length, (at + 1) * shapes.length));
    },
    close: () => session.release(),
  };
}
