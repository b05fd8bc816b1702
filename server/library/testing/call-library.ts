/** Calls of the library's API on the whole product. */
import { expect } from 'vitest';
import type { SavedDocument } from '#shared/api/library.ts';
import type { IdentityServer, TestAccount } from '../../../test-support/product/identity.ts';

export interface LibraryCalls {
  call<Body = { code: string }>(
    account: TestAccount,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Body }>;
  create(account: TestAccount, given?: Record<string, unknown>): Promise<SavedDocument>;
}

export function callLibrary(product: IdentityServer): LibraryCalls {
  const call: LibraryCalls['call'] = async (account, method, path, body) => {
    const answer = await product.call(account, method, path, body);
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  };
  return {
    call,
    async create(account, given = {}) {
      const { status, body } = await call<SavedDocument>(account, 'POST', '/documents', {
        latex: '\\documentclass{article}\\begin{document}x\\end{document}',
        ...given,
      });
      expect(status).toBe(201);
      return body;
    },
  };
}
