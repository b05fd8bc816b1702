/** The program of a stroke process: holds the line model and reads what people draw on a pad. */
import { answerTasks } from '#platform/work/answer-tasks.ts';
import { loadWords } from '../line/known-words.ts';
import { type LineModel, openLineModel } from '../line/line-model.ts';
import type { Stroke } from './draw-strokes.ts';
import { readStrokes, type StrokeKind } from './read-strokes.ts';

export interface StrokeTask {
  /** Path of the weights. */
  model: string;
  strokes: readonly Stroke[];
  kind: StrokeKind;
}

let opened: Promise<LineModel> | null = null;
let known: ReturnType<typeof loadWords> | null = null;

/** One line says too little to guess its language: a word may be of any. */
function words(): ReturnType<typeof loadWords> {
  known ??= loadWords(['en', 'fr', 'es']);
  return known;
}

answerTasks(async (task) => {
  const { model, strokes, kind } = task as StrokeTask;
  opened ??= openLineModel(model);
  return await readStrokes(strokes, kind, { model: await opened, words });
});
