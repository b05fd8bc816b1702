/** Where the products under test listen. Fixed, so that settings and tests agree before anything runs. */

interface Address {
  name: 'main' | 'elsewhere';
  port: number;
  /** Where people open it. */
  url: string;
  /** Where the browser reaches the API. */
  apiUrl: string;
  /** The online editor of the tests. */
  editorUrl: string;
}

/** Everything on one origin. */
export const main: Address = {
  name: 'main',
  port: 4310,
  url: 'http://localhost:4310',
  apiUrl: 'http://localhost:4310',
  editorUrl: 'http://localhost:4319/docs',
};

/** Pages on one origin, the API on another: a relay at `apiUrl` leads to the same process. */
export const elsewhere: Address = {
  name: 'elsewhere',
  port: 4320,
  url: 'http://localhost:4320',
  apiUrl: 'http://localhost:4321',
  editorUrl: 'http://localhost:4329/docs',
};
