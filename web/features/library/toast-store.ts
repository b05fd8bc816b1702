/** The library's one message: what was done, with a way to undo it; or what failed. */
interface Toast {
  id: number;
  text: string;
  tone: 'done' | 'error';
  action: { label: string; run: () => void } | null;
}

export interface ToastStore {
  get(): Toast | null;
  subscribe(listener: () => void): () => void;
  /** Replaces the previous message. */
  show(text: string, options?: Partial<Pick<Toast, 'tone' | 'action'>>): void;
  dismiss(): void;
}

export function createToastStore(): ToastStore {
  let current: Toast | null = null;
  let count = 0;
  const listeners = new Set<() => void>();
  const put = (next: Toast | null) => {
    current = next;
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    show: (text, options = {}) => put({ tone: 'done', action: null, ...options, id: ++count, text }),
    dismiss: () => put(null),
  };
}
