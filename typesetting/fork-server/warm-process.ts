/** One boxed process tree under native/warm.c: a blank engine, its frozen copies, and the current run. */
import type { StayingBox } from '../sandbox/open-sandbox.ts';
import { type Answer, AnswerReader, type RunCommand, slotCount, writeRun } from './protocol.ts';

/** How a run ended: its exit status as reported by a shell, or null if the whole tree has ended. */
export interface RunExit {
  status: number | null;
  cpuMs: number;
}

/** Events during a run. */
export interface RunEvents {
  onLook?: (name: string | null) => void;
  onSnapshot?: (slot: number, offset: number) => void;
  onPreview?: () => void;
}

interface Running extends RunEvents {
  run: number;
  slot: number;
  /** Reports how it ended; only the first call counts. */
  resolve: (exit: RunExit) => void;
  hasLeft: Promise<void>;
  leave: () => void;
}

/** The part of a box that is used. */
export type ChannelBox = Pick<StayingBox, 'channel' | 'ended' | 'kill' | 'measureMemory' | 'readCpuMs'>;

export class WarmProcess {
  /** True once it waits at the start of a document; false if it died before. */
  readonly ready: Promise<boolean>;
  /** Settles when all its processes have ended. */
  readonly ended: Promise<void>;
  readonly #box: ChannelBox;
  readonly #free = new Set<number>();
  readonly #waiting = new Set<number>();
  #running: Running | null = null;
  #isOver = false;

  constructor(box: ChannelBox) {
    this.#box = box;
    for (let slot = 1; slot < slotCount; slot++) this.#free.add(slot);
    const reader = new AnswerReader();
    let resolveReady: (isReady: boolean) => void = () => {};
    this.ready = new Promise((resolve) => {
      resolveReady = resolve;
    });
    const answers = box.channel(0);
    answers.setEncoding('latin1');
    answers.on('data', (text: string) => {
      const read = reader.push(text);
      if (!read) return this.kill();
      for (const answer of read) {
        if (!this.#handle(answer)) return this.kill();
        if (answer.kind === 'ready' && answer.slot === 0) resolveReady(true);
      }
    });
    this.ended = box.ended.then(() => {
      this.#isOver = true;
      resolveReady(false);
      this.#end({ status: null, cpuMs: 0 });
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Slots that no frozen copy holds. */
  get freeSlots(): number[] {
    return [...this.#free];
  }

  /** True if a process waits in this slot: an announced copy may still be on its way. */
  isWaiting(slot: number): boolean {
    return this.#waiting.has(slot);
  }

  /** Waits until the process of the last run has ended, so that the next may begin. */
  async whenIdle(): Promise<void> {
    while (this.#running) await this.#running.hasLeft;
  }

  /**
   * Starts a run from a slot. One at a time: see whenIdle.
   * @returns how it ended, as soon as its files are complete.
   */
  run(slot: number, command: RunCommand, events: RunEvents = {}): Promise<RunExit> {
    if (this.#isOver) return Promise.resolve({ status: null, cpuMs: 0 });
    if (this.#running) throw new Error('a warm engine runs one document at a time');
    return new Promise((resolve) => {
      let leave = () => {};
      const hasLeft = new Promise<void>((left) => {
        leave = left;
      });
      this.#running = { run: command.run, slot, resolve, hasLeft, leave, ...events };
      this.#send(slot, writeRun(command));
    });
  }

  /** Has TeX end the document of the current run where it is, with the pages so far; its exit follows. */
  interrupt(): void {
    if (this.#running) this.#send(this.#running.slot, 'interrupt\n');
  }

  /** Ends the current run; its exit follows. */
  stop(): void {
    if (this.#running) this.#send(this.#running.slot, 'stop\n');
  }

  /** Ends a frozen copy, after the run that it started. Its slot is free once it has confirmed. */
  release(slot: number): void {
    if (slot === 0) return;
    const running = this.#running;
    // a copy that ends first could no longer report that its run has ended
    if (running?.slot === slot) void running.hasLeft.then(() => this.#send(slot, 'end\n'));
    else this.#send(slot, 'end\n');
  }

  kill(): void {
    this.#isOver = true;
    this.#box.kill();
  }

  readCpuMs(): number | null {
    return this.#box.readCpuMs();
  }

  measureMemory(): Promise<number> {
    return this.#box.measureMemory();
  }

  #send(slot: number, text: string): void {
    if (!this.#isOver) this.#box.channel(1 + slot).write(text);
  }

  /** False for an answer that no process may give now. */
  #handle(answer: Answer): boolean {
    if (answer.kind === 'ready') {
      this.#waiting.add(answer.slot);
      return true;
    }
    if (answer.kind === 'ended') {
      this.#waiting.delete(answer.slot);
      this.#free.add(answer.slot);
      return answer.slot > 0;
    }
    const running = this.#running;
    // leftovers of a former run may still report, except copies, which are announced before its end
    if (!running || answer.run !== running.run) return answer.kind !== 'snap';
    switch (answer.kind) {
      case 'look':
        running.onLook?.(answer.name);
        return true;
      case 'snap':
        if (!this.#free.delete(answer.slot)) return false;
        running.onSnapshot?.(answer.slot, answer.offset);
        return true;
      case 'preview':
        running.onPreview?.();
        return true;
      case 'done':
        running.resolve({ status: answer.status, cpuMs: answer.cpuMs });
        return true;
      case 'exit':
        this.#end({ status: answer.status, cpuMs: answer.cpuMs });
        return true;
    }
  }

  #end(exit: RunExit): void {
    this.#running?.resolve(exit);
    this.#running?.leave();
    this.#running = null;
  }
}
