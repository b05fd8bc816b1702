/** A streamed answer, in each vendor's format. */

type Finish = 'stop' | 'length' | 'content-filter';

/** A few words each, so that tags and formulas are split at any place. */
function cut(text: string): string[] {
  return text.match(/[\s\S]{1,7}/g) ?? [];
}

function event(data: unknown, name?: string): string {
  return `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** The events of one answer; thoughts only for vendors that send them. */
export function* wrapPieces(
  path: string,
  text: string,
  finish: Finish,
  thinking = '',
): Generator<string, void> {
  if (path.includes('/messages')) yield* anthropic(text, finish, thinking);
  else if (path.includes(':streamGenerateContent')) yield* google(text, finish);
  else if (path.includes('/responses')) yield* responses(text, finish);
  else yield* completions(text, finish, thinking);
}

function* completions(text: string, finish: Finish, thinking: string): Generator<string> {
  const chunk = (delta: object, reason: string | null = null) =>
    event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'stand-in',
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
  yield chunk({ role: 'assistant', content: '' });
  for (const piece of cut(thinking)) yield chunk({ reasoning_content: piece });
  for (const piece of cut(text)) yield chunk({ content: piece });
  yield chunk({}, finish === 'content-filter' ? 'content_filter' : finish);
  yield event('[DONE]');
}

function* anthropic(text: string, finish: Finish, thinking: string): Generator<string> {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const say = (data: { type: string } & Record<string, unknown>) => event(data, data.type);
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'stand-in', content: [], usage };
  yield say({ type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } });
  let index = 0;
  if (thinking) {
    yield say({ type: 'content_block_start', index, content_block: { type: 'thinking', thinking: '' } });
    for (const piece of cut(thinking))
      yield say({ type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking: piece } });
    yield say({ type: 'content_block_stop', index });
    index++;
  }
  yield say({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } });
  for (const piece of cut(text))
    yield say({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: piece } });
  yield say({ type: 'content_block_stop', index });
  const reason = { stop: 'end_turn', length: 'max_tokens', 'content-filter': 'refusal' }[finish];
  yield say({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage });
  yield say({ type: 'message_stop' });
}

function* google(text: string, finish: Finish): Generator<string> {
  const candidate = (piece: string, reason?: string) =>
    event({
      candidates: [
        {
          index: 0,
          content: { role: 'model', parts: [{ text: piece }] },
          ...(reason ? { finishReason: reason } : {}),
        },
      ],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    });
  for (const piece of cut(text)) yield candidate(piece);
  yield candidate('', { stop: 'STOP', length: 'MAX_TOKENS', 'content-filter': 'SAFETY' }[finish]);
}

function* responses(text: string, finish: Finish): Generator<string> {
  let number = 0;
  const say = (type: string, more: object) => event({ type, sequence_number: number++, ...more }, type);
  const response = { id: 'resp_1', object: 'response', created_at: 0, model: 'stand-in', output: [] };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  yield say('response.created', { response: { ...response, status: 'in_progress' } });
  const item = { type: 'message', id: 'msg_1', role: 'assistant', content: [] };
  yield say('response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress' } });
  for (const delta of cut(text))
    yield say('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta });
  const content = [{ type: 'output_text', text, annotations: [] }];
  yield say('response.output_item.done', {
    output_index: 0,
    item: { ...item, status: 'completed', content },
  });
  const reason = finish === 'length' ? 'max_output_tokens' : 'content_filter';
  if (finish === 'stop')
    yield say('response.completed', { response: { ...response, status: 'completed', usage } });
  else
    yield say('response.incomplete', {
      response: { ...response, status: 'incomplete', incomplete_details: { reason }, usage },
    });
}
