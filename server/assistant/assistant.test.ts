// Real: TeX in its sandbox, the AI SDK's client over HTTP. Scripted: the model's vendor, on loopback.
import { afterEach, describe, expect, test } from 'vitest';
import { openModel } from '#platform/ai/open-model.ts';
import { openTypesetter } from '../../test-support/open-typesetter.ts';
import {
  startVendor,
  type Vendor,
  type VendorReply,
  type VendorRequest,
} from '../../test-support/stand-ins/vendor-stand-in.ts';
import { type ChangeOutcome, createAssistant, createRepairer } from './index.ts';

let vendor: Vendor | undefined;
const { typesetter } = await openTypesetter({ concurrency: 2 });
afterEach(async () => {
  await vendor?.close();
  vendor = undefined;
});

const note = `\\documentclass{article}
\\title{Weke 4}
\\begin{document}
\\maketitle
A mistake stays: $1+1=3$.
\\end{document}
`;

async function change(
  feedback: string,
  script: (request: VendorRequest) => VendorReply,
  latex = note,
): Promise<ChangeOutcome> {
  vendor = await startVendor(script);
  const model = openModel({
    AI_PROVIDER: 'openai-compatible',
    AI_MODEL: 'm',
    AI_BASE_URL: vendor.url,
    AI_API_KEY: 'k',
  });
  const assistant = createAssistant({ model, typesetter });
  return await assistant.change(
    { latex, feedback, figures: [] },
    { owner: 'a', signal: new AbortController().signal },
  );
}

const edits = (...pairs: [string, string][]) => ({
  content: { edits: pairs.map(([find, replace]) => ({ find, replace })), latex: null, declined: null },
});

describe('with a model', () => {
  test('edits are made where they fit, and nowhere else', async () => {
    const outcome = await change('fix the title', () => edits(['Weke', 'Week']));
    expect(outcome).toEqual({ kind: 'changed', latex: note.replace('Weke', 'Week'), warnings: [] });
    expect(vendor!.requests[0]!.text).toContain('A mistake stays');
  });

  test.each([
    [
      'a whole document in the asked shape',
      { content: { edits: null, latex: note.replace('Weke', 'Week'), declined: null } },
    ],
    ['a fenced document', { content: `Sure.\n\`\`\`latex\n${note.replace('Weke', 'Week')}\`\`\`` }],
    ['bare LaTeX', { content: note.replace('Weke', 'Week') }],
  ] satisfies [string, VendorReply][])('%s is accepted', async (_name, reply) => {
    const outcome = await change('fix the title', () => reply);
    expect(outcome.kind === 'changed' && outcome.latex.trim()).toBe(note.replace('Weke', 'Week').trim());
  });

  test('a change that does not compile is repaired once, given the errors', async () => {
    const outcome = await change('add a fraction', (request) =>
      request.number === 1
        ? edits(['A mistake', 'A half $\\fraction{1}{2}$. A mistake'])
        : edits(['\\fraction{1}{2}', '\\frac{1}{2}']),
    );
    expect(outcome).toMatchObject({ kind: 'changed', latex: expect.stringContaining('$\\frac{1}{2}$') });
    expect(vendor!.requests[1]!.text).toMatch(/line 5: Undefined control sequence/);
  });

  test('a change that cannot be repaired is not returned', async () => {
    const outcome = await change('break it', (request) =>
      edits(['A mistake', `\\nonsense${request.number === 1 ? 'a' : 'b'} A mistake`]),
    );
    expect(outcome).toMatchObject({ kind: 'unproven', messages: [expect.objectContaining({ line: 5 })] });
  });

  test('a document that was already broken may be changed, with a warning', async () => {
    const broken = note.replace('A mistake', '\\brokenbefore A mistake');
    const outcome = await change('fix the title', () => edits(['Weke', 'Week']), broken);
    expect(outcome).toMatchObject({
      kind: 'changed',
      warnings: [expect.objectContaining({ code: 'STILL_FAILS' })],
    });
  });

  test.each([
    ['an edit whose place is not there', edits(['nowhere', 'x'])],
    ['an edit with two places', edits(['a', 'x'])],
    [
      'a fragment instead of the document',
      { content: { edits: null, latex: '\\section{x}', declined: null } },
    ],
    ['an apology', { content: 'I am sorry, I cannot do that.' }],
  ] satisfies [string, VendorReply][])('%s changes nothing', async (_name, reply) => {
    expect(await change('fix it', () => reply)).toMatchObject({ kind: 'unavailable' });
  });

  test("the model's refusal is passed on in its words", async () => {
    const outcome = await change('what is the weather', () => ({
      content: { edits: null, latex: null, declined: 'That is no change to this document.' },
    }));
    expect(outcome).toEqual({ kind: 'declined', message: 'That is no change to this document.' });
  });
});

describe('without a model', () => {
  const assistant = () => createAssistant({ model: null, typesetter });
  const caller = { owner: 'a', signal: new AbortController().signal };

  test('an exact edit is made and compiles', async () => {
    const outcome = await assistant().change(
      { latex: note, feedback: 'Change the title to Week 4', figures: [] },
      caller,
    );
    expect(outcome).toMatchObject({ kind: 'changed', latex: note.replace('Weke 4', 'Week 4') });
  });

  test('unsupported requests are declined plainly, with what is supported', async () => {
    const outcome = await assistant().change(
      { latex: note, feedback: 'Make it sound more professional', figures: [] },
      caller,
    );
    expect(outcome).toMatchObject({ kind: 'declined', message: expect.stringMatching(/title/i) });
  });
});

describe('repairing a fragment of a conversion', () => {
  const broken = {
    fragment: 'Half: $\\frac{1}{2$',
    messages: [{ level: 'error' as const, file: 'main.tex', line: 7, message: 'Missing } inserted.' }],
    context: { before: 'Before.', after: 'After.', preamble: '\\documentclass{article}' },
  };
  const repair = async (reply: VendorReply) => {
    vendor = await startVendor(() => reply);
    const repairer = createRepairer({
      AI_PROVIDER: 'openai-compatible',
      AI_MODEL: 'm',
      AI_BASE_URL: vendor.url,
      AI_API_KEY: 'k',
    });
    return await repairer!.repair(broken, new AbortController().signal);
  };

  test('the model is sent TeX’s messages, and its fragment is returned', async () => {
    expect(await repair({ content: { latex: 'Half: $\\frac{1}{2}$' } })).toBe('Half: $\\frac{1}{2}$');
    expect(vendor!.requests[0]!.text).toContain('Missing } inserted.');
  });

  test('words without LaTeX repair nothing', async () => {
    expect(await repair({ content: 'The brace is missing.' })).toBeNull();
  });

  test('there is no repairer without a model', () => {
    expect(createRepairer({})).toBeUndefined();
  });
});
