interface ConversationsLeftProps {
  available: number;
  /** The texts for some and for none left. */
  some: string;
  none: string;
  onGetMore: () => void;
}

/** What a change by the assistant costs, shown under the request box, with a way to get more. */
export function ConversationsLeft({ available, some, none, onGetMore }: ConversationsLeftProps) {
  return (
    <p className="px-3 pb-2 text-xs text-graphite tabular-nums">
      {available > 0 ? (
        some
      ) : (
        <>
          {none}{' '}
          <button
            type="button"
            className="rounded text-ink underline decoration-edge underline-offset-4 hover:decoration-ink pointer-coarse:min-h-11"
            onClick={onGetMore}
          >
            Get more
          </button>
        </>
      )}
    </p>
  );
}
