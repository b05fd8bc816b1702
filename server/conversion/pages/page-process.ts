/**
 * The program of a page process: everything that decodes what strangers sent runs here, one task at a time, under the
 * limits that the pool starts it with. It ends when the server does (the channel closes).
 */
import { inspectFile } from '../intake/inspect-file.ts';
import type { PageTask, PageTaskAnswer, PageTaskMessage } from './page-task.ts';
import { Refusal } from './page-task.ts';
import { preparePage } from './prepare-page.ts';

function run(task: PageTask) {
  switch (task.kind) {
    case 'inspect':
      return inspectFile(task.path, task.displayName);
    case 'prepare':
      return preparePage(task.source);
  }
}

function answer(message: PageTaskAnswer): void {
  process.send?.(message);
}

process.on('disconnect', () => process.exit(0));
process.on('message', async ({ id, task }: PageTaskMessage) => {
  try {
    const result = await run(task);
    answer({ id, kind: 'done', result, rssBytes: process.memoryUsage.rss() });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof Refusal) answer({ id, kind: 'refusal', message });
    else answer({ id, kind: 'fault', message: error instanceof Error ? (error.stack ?? message) : message });
  }
});
