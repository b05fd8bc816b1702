/** Documents and folders for the flows, created through the API as the account's own programs would. */
import type { NewDocument } from '#shared/api/library.ts';
import { createAccount, main, signIn } from '../product/accounts.ts';

/** A text of one page. */
export function latexOf(body: string): string {
  return `\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n${body}\n\\end{document}\n`;
}

export interface OwnLibrary {
  email: string;
  createDocument(
    title: string,
    options?: Partial<NewDocument> & { body?: string },
  ): Promise<{ id: string; title: string }>;
  createFolder(name: string, parentId?: string | null): Promise<{ id: string }>;
  /** Makes any call. @returns the response's JSON */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Reads a file, as text. */
  text(path: string): Promise<string>;
}

/** A new account, with calls in its name. */
export async function openLibrary(): Promise<OwnLibrary> {
  const email = await createAccount();
  const { access_token: token } = await signIn(main, email);
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${main.apiUrl}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }
  const text = async (path: string) => {
    const answer = await fetch(`${main.apiUrl}/api/v1${path}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return answer.text();
  };
  return {
    email,
    call,
    text,
    createDocument: (title, { body = title, ...given } = {}) =>
      call('POST', '/documents', { title, latex: latexOf(body), ...given }),
    createFolder: (name, parentId = null) => call('POST', '/folders', { name, parent_id: parentId }),
  };
}
