/**
 * The program of a page process: decodes untrusted files, one task at a time, under the limits set by the pool. It
 * ends when the server does (the channel closes).
 */

import { answerTasks } from '#platform/work/answer-tasks.ts';
import { identifyFile } from './decode/identify-file.ts';
import { readTexts } from './decode/pdfium.ts';
import { redrawPicture } from './decode/redraw-picture.ts';
import type { PageTask } from './page-task.ts';
import { prepareDrawn, preparePage } from './prepare-page.ts';

answerTasks((asked) => {
  const task = asked as PageTask;
  switch (task.kind) {
    case 'identify':
      return identifyFile(task.path, task.displayName);
    case 'texts':
      return readTexts(task.path, task.first, task.last);
    case 'prepare':
      return preparePage(task.source, task.parts);
    case 'drawn':
      return prepareDrawn(task.source, task.marks);
    case 'redraw':
      return redrawPicture(task.bytes);
  }
});
