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

let opened: Promise<[LineModel, ShapeModel]> | null = null;
/** For the pages that need it. Closed at rest: opening takes 40 ms of CPU time, and it keeps 95 MB of what it has computed with. */
let finding: Promise<TextFinder | null> | null = null;
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

async function read(task: unknown) {
  const { model, picture, pageNumber } = task as InkTask;
  opened ??= Promise.all([
    openLineModel(model),
    openShapeModel(path.join(path.dirname(model), 'written-signs.onnx')),
  ]);
  const [lineModel, shapes] = await opened;
  const finder = () => {
    finding ??= openTextFinder();
    return finding;
  };
  return await readInk(picture, pageNumber, { model: lineModel, shapes, finder, words });
}

async function closeFinder() {
  const closing = finding;
  finding = null;
  await (await closing)?.close();
}

/** Between the last page and the proof of its document. */
const restMs = 250;
answerTasks(read, restMs, closeFinder);
