/** Progress of `inkproof convert`: a bar on a terminal, plain lines anywhere else. */
import { SingleBar } from 'cli-progress';
import type { ConvertProgress } from '../../conversion/index.ts';

export interface ProgressDisplay {
  show(progress: ConvertProgress): void;
  /** Clears or completes what is shown; later text starts on its own line. */
  end(): void;
}

export function createProgressDisplay(output: NodeJS.WriteStream): ProgressDisplay {
  return output.isTTY ? createBar(output) : createLines(output);
}

function createBar(output: NodeJS.WriteStream): ProgressDisplay {
  const bar = new SingleBar({
    stream: output,
    format: '{stage} [{bar}] {value}/{total} pages · {eta_formatted} left',
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
  });
  const failures: string[] = [];
  return {
    show(progress) {
      switch (progress.kind) {
        case 'planned':
          bar.start(progress.pageCount, 0, { stage: 'Reading' });
          return;
        case 'page':
          bar.increment(1);
          if (progress.outcome === 'failed') failures.push(describeFailure(progress));
          return;
        case 'assembling':
          bar.update({ stage: 'Setting' });
      }
    },
    end() {
      bar.stop();
      for (const failure of failures.splice(0)) output.write(`${failure}\n`);
    },
  };
}

function createLines(output: NodeJS.WriteStream): ProgressDisplay {
  let done = 0;
  let total = 0;
  return {
    show(progress) {
      switch (progress.kind) {
        case 'planned':
          total = progress.pageCount;
          output.write(`reading ${total} ${total === 1 ? 'page' : 'pages'}\n`);
          return;
        case 'page':
          done++;
          output.write(
            progress.outcome === 'read'
              ? `page ${progress.number} read (${done}/${total})\n`
              : `${describeFailure(progress)} (${done}/${total})\n`,
          );
          return;
        case 'assembling':
          output.write('typesetting the document\n');
      }
    },
    end() {},
  };
}

function describeFailure(progress: { number: number; reason?: string }): string {
  return `page ${progress.number} failed: ${progress.reason ?? 'it could not be read'}`;
}
