/** The program of an ink process: holds the line model, and reads pages of handwriting one after the other. */
import type { PreparedPage } from '../../page.ts';
import { answerTasks } from '../../pages/answer-tasks.ts';
import { loadWords, type WordLanguage } from './known-words.ts';
import { type LineModel, openLineModel } from './line-model.ts';
import { readInk } from './read-ink.ts';

export interface InkTask {
  /** Path of the weights. */
  model: string;
  picture: Pick<PreparedPage, 'bitmap' | 'origin'>;
  pageNumber: number;
}

let opened: Promise<LineModel> | null = null;
const dictionaries = new Map<WordLanguage, ReturnType<typeof loadWords>>();

/** Dictionaries are read when the first page in their language is. */
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
  opened ??= openLineModel(model);
  return await readInk(picture, pageNumber, { model: await opened, words });
});
