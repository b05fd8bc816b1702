/** Where the products under test listen. Fixed, so that settings and tests agree before anything runs. */
import os from 'node:os';
import path from 'node:path';

interface Address {
  name: 'main' | 'elsewhere';
  port: number;
  /** Where people open it. */
  url: string;
  /** Where the browser reaches the API. */
  apiUrl: string;
  /** The online editor of the tests. */
  editorUrl: string;
  /** Holds the path of the product's data folder while it runs. */
  dataDirFile: string;
}

function runtimeFile(name: string): string {
  return path.join(os.tmpdir(), `inkproof-e2e-${name}`);
}

/** What a signed-in browser holds, for both products (Playwright's storage state). */
export const signedInState = runtimeFile('signed-in.json');

/** Everything on one origin. */
export const main: Address = {
  name: 'main',
  port: 4310,
  url: 'http://localhost:4310',
  apiUrl: 'http://localhost:4310',
  editorUrl: 'http://localhost:4319/docs',
  dataDirFile: runtimeFile('main.data-dir'),
};

/** Pages on one origin, the API on another: a relay at `apiUrl` leads to the same process. */
export const elsewhere: Address = {
  name: 'elsewhere',
  port: 4320,
  url: 'http://localhost:4320',
  apiUrl: 'http://localhost:4321',
  editorUrl: 'http://localhost:4329/docs',
  dataDirFile: runtimeFile('elsewhere.data-dir'),
};
