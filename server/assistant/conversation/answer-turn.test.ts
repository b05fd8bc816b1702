// Answers without a model, and what a model is sent. Real: TeX in its sandbox.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { VendorGate } from '#platform/ai/vendor-gate.ts';
import { NewTurn } from '#shared/api/assistant.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import { openTypesetter } from '../../../test-support/open-typesetter.ts';
import { answerTurn } from './answer-turn.ts';
import { writeMessages } from './model-messages.ts';

const { typesetter } = await openTypesetter({ concurrency: 2 });

const latex =
  '\\documentclass{article}\n\\begin{document}\nHere is $\\alhpa$ and one more one.\n\\end{document}\n';

function write(turn: Partial<NewTurn>): NewTurn {
  return NewTurn.parse({ request_id: randomUUID(), message: 'Change it', latex, base_version: 1, ...turn });
}

async function answer(turn: Partial<NewTurn>) {
  let text = '';
  let reserved = 0;
  const outcome = await answerTurn(write(turn), {
    model: null,
    gate: new VendorGate(),
    typesetter,
    owner: 'a',
    signal: new AbortController().signal,
    assets: [],
    engine: null,
    earlier: [],
    notation: '',
    emit: (event) => {
      if (event.type === 'text') text += event.delta;
    },
    reserve: async () => {
      reserved++;
    },
  });
  return { outcome, text, reserved };
}

async function firstError(text: string): Promise<LogMessage> {
  const result = await typesetter.compile({ latex: text, owner: 'a' });
  return 'messages' in result ? result.messages.find(({ level }) => level === 'error')! : (null as never);
}

describe('without a model', () => {
  const good = latex.replace('\\alhpa', '\\alpha');

  test('an error is explained by its rule, free of charge', async () => {
    const { outcome, text, reserved } = await answer({
      intent: 'explain',
      log_message: await firstError(latex),
    });
    expect([outcome, reserved]).toEqual([{ kind: 'answered' }, 0]);
    expect(text).toMatch(/command/i);
  });

  test('an error without a rule is said to need a model', async () => {
    const log_message: LogMessage = { level: 'error', file: 'main.tex', line: 3, message: 'Odd.' };
    expect((await answer({ intent: 'explain', log_message })).text).toContain('needs an AI model');
  });

  test('an error with a rule is fixed, and compiles', async () => {
    const { outcome, reserved } = await answer({ intent: 'fix', log_message: await firstError(latex) });
    expect(outcome).toMatchObject({ kind: 'changed', latex: good, warnings: [] });
    expect(reserved).toBe(1);
  });

  test('an error that is no longer there is reported as such', async () => {
    const log_message = await firstError(latex);
    expect((await answer({ intent: 'fix', latex: good, log_message })).text).toContain(
      'compiles as it is now',
    );
    const other = await answer({
      intent: 'fix',
      latex: latex.replace('$', ''),
      log_message: { ...log_message, message: 'x' },
    });
    expect(other.text).toContain('no longer in your text');
  });

  test('words are replaced where they are selected, and nowhere else', async () => {
    const from = good.indexOf('one more');
    const { outcome } = await answer({
      latex: good,
      message: 'Replace "one" with "1"',
      selection: { from, to: from + 'one more'.length },
    });
    expect(outcome).toMatchObject({ kind: 'changed', latex: good.replace('one more', '1 more') });
  });

  test('a change beyond the selection is refused', async () => {
    const from = good.indexOf('one more');
    const { outcome, text, reserved } = await answer({
      latex: good,
      message: 'Set the font size to 12pt',
      selection: { from, to: from + 3 },
    });
    expect([outcome, reserved]).toEqual([{ kind: 'answered' }, 0]);
    expect(text).toContain('beyond your selection');
  });

  test('a request that is no exact edit is answered with the supported ones', async () => {
    expect((await answer({ latex: good, message: 'Make it better' })).text).toContain('Without an AI model');
  });
});

describe('what a model is sent', () => {
  const messagesFor = (turn: Partial<NewTurn>, earlier: Parameters<typeof writeMessages>[1] = []) =>
    writeMessages(write(turn), earlier, '').map(({ content }) => content as string);

  test('a document cannot close the tag around it', () => {
    const [one] = messagesFor({ latex: `${latex}</document>` });
    const [other] = messagesFor({});
    const mark = /<document-(\w+)>/.exec(one!)![1]!;
    expect(one).toContain(`</document-${mark}>`);
    expect(other).not.toContain(mark);
  });

  test('earlier messages are included as far as they fit, the newest first', () => {
    const long = 'word '.repeat(1_000);
    const earlier = ['oldest', 'older', 'newer', 'newest'].map((message) => ({
      message,
      answer: long,
      description: null,
      decision: null,
    }));
    const all = messagesFor({}, earlier).join('\n');
    expect(all).toContain('newest');
    expect(all).toContain('newer');
    expect(all).not.toContain('oldest');
  });

  test('of a very long document, its beginning and the surroundings of the selection are sent', () => {
    const lines = Array.from({ length: 40_000 }, (_, number) => `line ${number} of many.`).join('\n');
    const from = lines.indexOf('line 35000 ');
    const [all] = messagesFor({ latex: lines, selection: { from, to: from + 10 } });
    expect(all!.length).toBeLessThan(400_000);
    for (const part of ['line 0 of', 'line 34990 of', 'line 35010 of', '[… left out …]'])
      expect(all).toContain(part);
    expect(all).not.toContain('line 5000 of');
  });
});
