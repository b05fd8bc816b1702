/** The held-out pictures written by `training/testset.py`, each with what the line model reads in it. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import sharp from 'sharp';
import { z } from 'zod';
import { loadWords, type WordLanguage } from '#reading/ink/line/known-words.ts';
import { type LineModel, openLineModel } from '#reading/ink/line/line-model.ts';
import type { LineReaderDeps } from '#reading/ink/read-lines.ts';
import { openShapeModel } from '#reading/ink/signs/shape-model.ts';
import type { Bitmap } from '#reading/page.ts';
import { unavailable } from '../support/measurement.ts';

const Entry = z.object({
  set: z.enum(['lines', 'words', 'formulas']),
  picture: z.string(),
  truth: z.string(),
  writer: z.string(),
});
export type Entry = z.infer<typeof Entry>;

export const trainingFolder =
  process.env.INKPROOF_TRAINING_DIR ?? path.join(os.homedir(), '.local/share/inkproof-training');
const weights = path.resolve(import.meta.dirname, '../../reading/models/line-reader.onnx');

/** Ends the run with the commands that write the pictures, if they are missing. */
export async function listTestset(part: 'testset' | 'tuning'): Promise<Entry[]> {
  const file = path.join(trainingFolder, part, 'testset.json');
  if (!existsSync(file))
    unavailable(
      `${file} is missing: fetch the sources that training/README.md names, then run python3 training/prepare.py and python3 training/testset.py${part === 'tuning' ? ' --part tuning' : ''}.`,
    );
  return z.array(Entry).parse(JSON.parse(await readFile(file, 'utf8')));
}

export async function readPicture(part: 'testset' | 'tuning', { picture }: Entry): Promise<Bitmap> {
  const { data, info } = await sharp(path.join(trainingFolder, part, picture))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 1, data };
}

export async function openReader(): Promise<LineReaderDeps & { model: LineModel }> {
  const known = new Map<WordLanguage, ReturnType<typeof loadWords>>();
  return {
    model: await openLineModel(weights),
    shapes: await openShapeModel(path.join(path.dirname(weights), 'written-signs.onnx')),
    words(language) {
      const words = known.get(language) ?? loadWords([language]);
      known.set(language, words);
      return words;
    },
  };
}
