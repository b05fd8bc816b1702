/** E.g. `1 page`, `60 pages`. */
export function describePages(count: number): string {
  return count === 1 ? '1 page' : `${count} pages`;
}

/** E.g. `1 AI conversation`, `30 AI conversations`. */
export function describeConversations(count: number): string {
  return count === 1 ? '1 AI conversation' : `${count} AI conversations`;
}

/** Both, omitting zeros; empty if both are 0. */
export function describePair({ conversion, assistant }: { conversion: number; assistant: number }): string {
  return [conversion > 0 && describePages(conversion), assistant > 0 && describeConversations(assistant)]
    .filter(Boolean)
    .join(' and ');
}
