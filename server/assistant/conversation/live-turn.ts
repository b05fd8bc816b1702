/** The events of a turn that is answered in this process; every follower receives them from the beginning. */
import type { TurnEvent } from '#shared/api/assistant.ts';

export class LiveTurn {
  readonly stop = new AbortController();
  #events: TurnEvent[] = [];
  #hasEnded = false;
  #waiting = new Set<() => void>();
  answer = '';

  say(event: TurnEvent): void {
    if (this.#hasEnded) return;
    if (event.type === 'text') this.answer += event.delta;
    this.#events.push(event);
    if (event.type === 'done') this.#hasEnded = true;
    this.#wake();
  }

  /** Ends without a further event, if the end was reported elsewhere. */
  close(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Ends with the turn, or when the signal aborts. */
  async *follow(signal: AbortSignal): AsyncGenerator<TurnEvent> {
    let next = 0;
    while (!signal.aborted) {
      const event = this.#events[next];
      if (event) {
        next++;
        yield event;
      } else if (this.#hasEnded) return;
      else
        await new Promise<void>((resolve) => {
          const wake = () => {
            signal.removeEventListener('abort', wake);
            this.#waiting.delete(wake);
            resolve();
          };
          signal.addEventListener('abort', wake);
          this.#waiting.add(wake);
        });
    }
  }
}
