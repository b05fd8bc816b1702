/** Who may open a session, what ends one, and messages that none accepts. */
import { describe, expect, test } from 'vitest';
import { sessionCloseCodes } from '#shared/api/compile-session.ts';
import { pdfText } from '#typesetting/testing/find-leak.ts';
import { boxedProcesses } from '#typesetting/testing/left-behind.ts';
import { endless, openSessions, png, until, wrap } from '../testing/open-sessions.ts';
import { serveRoutes } from '../testing/serve-routes.ts';
import { openSession } from '../testing/session-client.ts';

const { served, clients, open } = await openSessions();

describe('who may open one', () => {
  test('our own pages, and programs without an origin', async () => {
    await open({ headers: { Origin: served.address } });
    for (const Origin of ['https://evil.example', 'null'])
      await expect(openSession(served.address, { headers: { Origin } })).rejects.toThrow('403');
  });

  test('with this protocol, at this path', async () => {
    await expect(openSession(served.address, { protocols: ['inkproof.compile-session.9'] })).rejects.toThrow(
      '400',
    );
    await expect(openSession(`${served.address}/elsewhere`)).rejects.toThrow('404');
    const plain = await fetch(`${served.address}/api/v1/compile-session`);
    expect([plain.status, ((await plain.json()) as { code: string }).code]).toEqual([400, 'INVALID_INPUT']);
  });

  test('a new visitor gets a cookie, and counts as one visitor with it', async () => {
    let cookie = '';
    const client = await openSession(served.address);
    clients.push(client);
    const { WebSocket } = await import('ws');
    const probe = new WebSocket(
      `${served.address.replace('http', 'ws')}/api/v1/compile-session`,
      'inkproof.compile-session.1',
    );
    probe.on('upgrade', (response) => {
      cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    });
    await new Promise((resolve) => probe.once('open', resolve));
    probe.terminate();
    expect(cookie).toMatch(/^inkproof_visitor=/);
    await until(() => served.sessions.count === 1);
    for (const _ of [1, 2, 3]) await open({ headers: { Cookie: cookie } });
    await expect(openSession(served.address, { headers: { Cookie: cookie } })).rejects.toThrow('429');
    // one that ends makes room
    await clients.at(-1)!.close();
    await until(() => served.sessions.count === 3);
    await open({ headers: { Cookie: cookie } });
  });

  test('an account, by its token; an invalid token is rejected, not treated as a visitor', async () => {
    const client = await open();
    client.send({ type: 'open', version: 1, latex: wrap('x'), token: 'token-of-ada' });
    expect((await client.final(1)).ok).toBe(true);
    // refreshed, and then somebody else's
    client.send({ type: 'token', token: 'token-of-ada' });
    client.send({ type: 'replace', version: 2, latex: wrap('y') });
    await client.final(2);
    client.send({ type: 'token', token: 'token-of-eve' });
    expect(await client.closed).toBe(sessionCloseCodes.unauthorized);

    const stranger = await open();
    stranger.send({ type: 'open', version: 1, latex: wrap('x'), token: 'made-up' });
    expect(await stranger.closed).toBe(sessionCloseCodes.unauthorized);
    expect(stranger.received).toMatchObject([{ type: 'problem', code: 'UNAUTHORIZED' }]);
  });

  test('an account may have a limited number of documents open, from anywhere', async () => {
    for (const _ of [1, 2, 3]) {
      const client = await open();
      client.send({ type: 'open', version: 1, latex: wrap('x'), token: 'token-of-ada' });
      await client.next('accepted');
    }
    const client = await open();
    client.send({ type: 'open', version: 1, latex: wrap('x'), token: 'token-of-ada' });
    expect(await client.closed).toBe(sessionCloseCodes.full);
    expect(client.received).toMatchObject([{ type: 'problem', code: 'TOO_MANY_REQUESTS' }]);
    const other = await open();
    other.send({ type: 'open', version: 1, latex: wrap('x'), token: 'token-of-eve' });
    await other.next('accepted');
  });
});

describe('invalid messages', () => {
  test.each([
    ['bytes', new Uint8Array([1, 2, 3]), 1003],
    ['no JSON', '{"type":', 1008],
    ['no object', '7', 1008],
    ['no type of ours', { type: 'shutdown' }, 1008],
    ['an edit before anything', { type: 'edit', version: 2, base: 1, changes: [] }, 1008],
    ['a version that is no number', { type: 'open', version: 'one', latex: 'x' }, 1008],
    ['a text that is too long', { type: 'open', version: 1, latex: 'x'.repeat(2_000_001) }, 1008],
    ['a token that is none', { type: 'open', version: 1, latex: 'x', token: 'made up' }, 1008],
    ['a figure outside its folder', openWith({ name: '../a.png' }), 1008],
    ['a figure that is none', openWith({ name: 'a.png', data_base64: 'no base64!' }), 1008],
    ['a message larger than any', 'x'.repeat(50_000_000), 1009],
  ])('%s closes the session and nothing else', async (_, message, code) => {
    const client = await open();
    client.send(message);
    expect(await client.closed).toBe(code);
    expect((await fetch(`${served.address}/api/v1/compile-session`)).status).toBe(400);
  });

  test('changes that do not fit are rejected, and the document is unchanged', async () => {
    const client = await open();
    const latex = wrap('as it was');
    client.send({ type: 'open', version: 1, latex });
    await client.final(1);
    for (const changes of [
      [{ from: 0, to: latex.length + 1, insert: '' }],
      [{ from: 5, to: 4, insert: '' }],
      [
        { from: 5, to: 9, insert: '' },
        { from: 8, to: 9, insert: '' },
      ],
    ]) {
      client.received.length = 0;
      client.send({ type: 'edit', version: 2, base: 1, changes });
      await client.next('resync');
      expect(client.received).toMatchObject([{ type: 'problem', code: 'INVALID_INPUT' }, { type: 'resync' }]);
    }
    const end = latex.indexOf('\n\\end');
    client.send({ type: 'edit', version: 2, base: 1, changes: [{ from: end, to: end, insert: ', and is' }] });
    expect(pdfText((await client.final(2)).pdf!)).toContain('as it was, and is');
  });

  test('half a surrogate pair, followed by the other half', async () => {
    const client = await open();
    const latex = wrap('A B');
    client.send({ type: 'open', version: 1, latex });
    const at = latex.indexOf('A B') + 1;
    client.send({ type: 'edit', version: 2, base: 1, changes: [{ from: at, to: at, insert: '\ud835' }] });
    await client.final(2);
    client.send({
      type: 'edit',
      version: 3,
      base: 2,
      changes: [{ from: at + 1, to: at + 1, insert: '\udcb3' }],
    });
    expect((await client.final(3)).ok).toBe(true);
  });

  test('a flood of them', async () => {
    const client = await open();
    client.send({ type: 'open', version: 1, latex: wrap('x') });
    for (let count = 0; count < 700; count++) client.send({ type: 'locate', version: 1, line: 1 });
    expect(await client.closed).toBe(1008);
  });
});

function openWith(figure: { name: string; data_base64?: string }) {
  return {
    type: 'open',
    version: 1,
    latex: wrap('x'),
    figures: [{ media_type: 'image/png', data_base64: png, ...figure }],
  };
}

describe('abandoned sessions', () => {
  test('a client that is gone, one that opens nothing, one that is idle', async () => {
    const hasty = await serveRoutes({ sessionLimits: { pingMs: 100, openMs: 150, idleMs: 1_000_000 } });
    const nothing = await openSession(hasty.address);
    expect(await nothing.closed).toBe(1008);
    const gone = await openSession(hasty.address);
    gone.send({ type: 'open', version: 1, latex: wrap('x') });
    await gone.next('accepted');
    (gone.socket as unknown as { _socket: { pause(): void } })._socket.pause();
    await until(() => hasty.sessions.count === 0);
    gone.socket.terminate();
    await hasty.close();

    const idle = await serveRoutes({ sessionLimits: { pingMs: 100, idleMs: 200 } });
    const client = await openSession(idle.address);
    client.send({ type: 'open', version: 1, latex: wrap('x') });
    expect(await client.closed).toBe(sessionCloseCodes.idle);
    await idle.close();
  });

  test('a stopping server ends them all, with their compiles', async () => {
    const stopping = await serveRoutes({ strategies: ['cold'] });
    const client = await openSession(stopping.address);
    client.send({ type: 'open', version: 1, latex: endless });
    await until(() => boxedProcesses(stopping.workDir).length > 0);
    await stopping.sessions.close();
    expect(boxedProcesses(stopping.workDir)).toEqual([]);
    expect([1001, 1006]).toContain(await client.closed);
    await stopping.close();
  });
});
