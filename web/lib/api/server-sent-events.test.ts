import { expect, it } from 'vitest';
import { createEventStreamParser } from './server-sent-events.ts';

const stream =
  ': hello\r\nid: 7\r\nevent: page\r\ndata: {"a":\r\ndata: 1}\r\n\r\ndata: plain\n\nevent: nothing\n\nid:8\rdata:tight\r\r';
const events = [
  { event: 'page', data: '{"a":\n1}', id: '7' },
  { event: 'message', data: 'plain', id: '7' },
];

it('reads events with any line endings, and skips comments and events without data', () => {
  expect(createEventStreamParser()(stream)).toEqual(events);
});

it('gives the same result however the text is split', () => {
  for (let size = 1; size < 12; size++) {
    const parse = createEventStreamParser();
    const found = [];
    for (let at = 0; at < stream.length; at += size) found.push(...parse(stream.slice(at, at + size)));
    expect(found).toEqual(events);
    // the last line end might have been half of one: the next chunk decides
    expect(parse('\n')).toEqual([{ event: 'message', data: 'tight', id: '8' }]);
  }
});
