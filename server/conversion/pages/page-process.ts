/**
 * The program of a page process: everything that decodes what strangers sent runs here, one task at a time, under the
 * limits that the pool starts it with. It ends when the server does (the channel closes).
 */

import { answerTasks } from '#server/platform/work/answer-tasks.ts';
import { inspectFile } from '../intake/inspect-file.ts';
import type { PageTask } from './page-task.ts';
import { preparePage } from './prepare-page.ts';
import { redrawPicture } from './redraw-picture.ts';

answerTasks((asked) => {
  const task = asked as PageTask;
  switch (task.kind) {
    case 'inspect':
      return inspectFile(task.path, task.displayName);
    case 'prepare':
      return preparePage(task.source, task.findsInk);
    case 'redraw':
      return redrawPicture(task.bytes);
  }
});
