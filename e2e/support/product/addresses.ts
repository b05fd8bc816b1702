/**
 * Where the products under test listen: known before anything runs, so that settings and tests agree. E2E_PORT
 * moves them all, so that two checkouts can be tested at the same time on one machine.
 */
import { globSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runsWhole } from '../../../test-support/matrix.ts';

interface Address {
  name: 'main' | 'elsewhere';
  port: number;
  /** Its public address. */
  url: string;
  /** The API's address for the browser. */
  apiUrl: string;
  /** The tests' stand-in for the online editor. */
  editorUrl: string;
  /** Contains the path of the product's data folder while it runs. */
  dataDirFile: string;
}

const firstPort = Number(process.env.E2E_PORT ?? 4310);

function runtimeFile(name: string): string {
  return path.join(os.tmpdir(), `inkproof-e2e-${firstPort}-${name}`);
}

/** A signed-in browser's state, for all products (Playwright's storage state). */
export const signedInState = runtimeFile('signed-in.json');

/** Everything on one origin. */
export const main: Address = {
  name: 'main',
  port: firstPort,
  url: `http://localhost:${firstPort}`,
  apiUrl: `http://localhost:${firstPort}`,
  editorUrl: `http://localhost:${firstPort + 9}/docs`,
  dataDirFile: runtimeFile('main.data-dir'),
};

/** Pages on one origin, the API on another: a relay at `apiUrl` leads to the same process. */
export const elsewhere: Address = {
  name: 'elsewhere',
  port: firstPort + 10,
  url: `http://localhost:${firstPort + 10}`,
  apiUrl: `http://localhost:${firstPort + 11}`,
  editorUrl: `http://localhost:${firstPort + 19}/docs`,
  dataDirFile: runtimeFile('elsewhere.data-dir'),
};

const root = path.resolve(import.meta.dirname, '../../..');
const matrices = globSync('e2e/**/*.matrix.spec.ts', { cwd: root });

/** Patterns of the matrices that this run leaves out (test-support/matrix.ts). */
export const leftOut = matrices
  .filter((file) => !runsWhole(path.join(root, file)))
  .map((file) => `**/${file}`);

/** The products that this run starts: the second serves only matrices. */
export const products = leftOut.length < matrices.length ? [main, elsewhere] : [main];
