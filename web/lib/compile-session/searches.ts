import type { SessionAnswer, SessionRequest } from '#shared/api/compile-session.ts';

export type Search = Extract<SessionRequest, { type: 'locate' | 'source' }>;
export type SearchAnswer = Extract<SessionAnswer, { type: 'location' | 'source_position' }>;

const patienceMs = 5_000;

/** Pending SyncTeX questions; answers arrive in order for each kind. */
export function createSearches(send: (request: Search) => void) {
  const waiting: { type: SearchAnswer['type']; resolve: (answer: SearchAnswer | null) => void }[] = [];
  return {
    /** Resolves with null if no answer comes. */
    ask(request: Search): Promise<SearchAnswer | null> {
      const type = request.type === 'locate' ? 'location' : 'source_position';
      return new Promise((resolve) => {
        const entry = { type, resolve: (answer: SearchAnswer | null) => settle(answer) } as const;
        const patience = setTimeout(() => settle(null), patienceMs);
        const settle = (answer: SearchAnswer | null) => {
          clearTimeout(patience);
          const place = waiting.indexOf(entry);
          if (place >= 0) waiting.splice(place, 1);
          resolve(answer);
        };
        waiting.push(entry);
        send(request);
      });
    },
    answer(answer: SearchAnswer): void {
      waiting.find(({ type }) => type === answer.type)?.resolve(answer);
    },
    drop(): void {
      for (const { resolve } of [...waiting]) resolve(null);
    },
  };
}
