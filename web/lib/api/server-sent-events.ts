/** Parses the `text/event-stream` format (WHATWG HTML, "server-sent events") from text that arrives in chunks. */

export interface ServerSentEvent {
  event: string;
  data: string;
  /** The stream's last id, from this event or an earlier one. */
  id: string;
}

/** A \r at the very end may be the first half of \r\n: wait for the next chunk. */
const lineEnd = /\r\n|\n|\r(?=[\s\S])/;

/** Returns a function that takes the next chunk of text and returns the events it completed. */
export function createEventStreamParser(): (piece: string) => ServerSentEvent[] {
  let rest = '';
  let event = '';
  let data: string[] = [];
  let id = '';
  let isFirst = true;
  return (piece) => {
    rest += isFirst ? piece.replace(/^\uFEFF/, '') : piece;
    if (piece) isFirst = false;
    const events: ServerSentEvent[] = [];
    for (let match = lineEnd.exec(rest); match; match = lineEnd.exec(rest)) {
      const line = rest.slice(0, match.index);
      rest = rest.slice(match.index + match[0].length);
      if (line === '') {
        if (data.length > 0) events.push({ event: event || 'message', data: data.join('\n'), id });
        event = '';
        data = [];
        continue;
      }
      const colon = line.indexOf(':');
      if (colon === 0) continue;
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'event') event = value;
      else if (field === 'data') data.push(value);
      else if (field === 'id' && !value.includes('\0')) id = value;
    }
    return events;
  };
}
