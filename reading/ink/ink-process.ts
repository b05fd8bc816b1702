/** The program of an ink process: loads the line model and the text detector, and reads pages of handwriting one by one. */

import path from 'node:path';
import { answerTasks } from '#platform/work/answer-tasks.ts';
import { openTextFinder, type TextFinder } from './find-text.ts';
import { loadWords, type WordLanguage } from './line/known-words.ts';
import { type LineModel, openLineModel } from './line/line-model.ts';
import { type PictureOfInk, readInk } from './read-ink.ts';
import { openShapeModel, type ShapeModel } from './signs/shape-model.ts';

export interface InkTask {
  /** Path of the weights. */
  model: string;
  picture: PictureOfInk;
  pageNumber: number;
}

let opened: Promise<[LineModel, ShapeModel, TextFinder | null]> | null = null;
const dictionaries = new Map<WordLanguage, ReturnType<typeof loadWords>>();

/** A dictionary is loaded with the first page in its language. */
function words(language: WordLanguage): ReturnType<typeof loadWords> {
  let known = dictionaries.get(language);
  if (!known) {
    known = loadWords([language]);
    dictionaries.set(language, known);
  }
  return known;
}

answerTasks(async (task) => {
  const { model, picture, pageNumber } = task as InkTask;
  opened ??= Promise.all([
    openLineModel(model),
    openShapeModel(path.join(path.dirname(model), 'written-signs.onnx')),
    openTextFinder(),
  ]);
  const [lineModel, shapes, finder] = await opened;
  return await readInk(picture, pageNumber, { model: lineModel, shapes, finder, words });
});
