import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { spellingLanguages } from './web/ui/source-editor/spelling/languages.ts';

const pdfjsRoot = path.resolve('node_modules/pdfjs-dist');
/** What pdf.js fetches by name at run time. The sandbox for document scripts (quickjs) stays out: we never run any. */
const pdfjsFolders = ['cmaps', 'standard_fonts', 'wasm', 'iccs'];

/** Serves pdf.js' character maps, standard fonts and decoders from our own address, under `/pdfjs/`. */
function pdfjsAssets(): Plugin {
  const files = pdfjsFolders.flatMap((folder) =>
    readdirSync(path.join(pdfjsRoot, folder))
      .filter((name) => !name.startsWith('quickjs'))
      .map((name) => `${folder}/${name}`),
  );
  return {
    name: 'pdfjs-assets',
    configureServer(server) {
      server.middlewares.use('/pdfjs', (request, response, next) => {
        const name = (request.url ?? '').slice(1).split('?')[0] ?? '';
        if (!files.includes(name)) return next();
        if (name.endsWith('.wasm')) response.setHeader('Content-Type', 'application/wasm');
        if (name.endsWith('.js')) response.setHeader('Content-Type', 'text/javascript');
        response.end(readFileSync(path.join(pdfjsRoot, name)));
      });
    },
    generateBundle() {
      if (this.environment.name !== 'client') return;
      for (const name of files)
        this.emitFile({
          type: 'asset',
          fileName: `pdfjs/${name}`,
          source: readFileSync(path.join(pdfjsRoot, name)),
        });
    },
  };
}

/** Dictionaries for the editor's spelling, each with its licence. They are fetched when a language is chosen. */
function dictionaryAssets(): Plugin {
  const files = new Map(
    Object.entries(spellingLanguages).flatMap(([language, { packageName }]) =>
      [
        ['aff', 'index.aff'],
        ['dic', 'index.dic'],
        ['license', 'license'],
      ].map(([part, name]) => [
        `dictionaries/${language}.${part}.txt`,
        path.resolve('node_modules', packageName, name!),
      ]),
    ),
  );
  return {
    name: 'dictionary-assets',
    configureServer(server) {
      server.middlewares.use('/dictionaries', (request, response, next) => {
        const file = files.get(`dictionaries/${(request.url ?? '').slice(1).split('?')[0]}`);
        if (!file) return next();
        response.setHeader('Content-Type', 'text/plain; charset=utf-8');
        response.end(readFileSync(file));
      });
    },
    generateBundle() {
      if (this.environment.name !== 'client') return;
      for (const [fileName, file] of files)
        this.emitFile({ type: 'asset', fileName, source: readFileSync(file) });
    },
  };
}

export default defineConfig({
  publicDir: 'web/public',
  plugins: [tailwindcss(), reactRouter(), pdfjsAssets(), dictionaryAssets()],
  build: { chunkSizeWarningLimit: 1500 },
  server: {
    // answered by the product itself, which runs next to this (setup/run-dev.ts)
    proxy: Object.fromEntries(
      ['/api', '/auth/v1', '/rest/v1', '/realtime/v1', '/inbox', '/local-checkout'].map((address) => [
        address,
        { target: process.env.INKPROOF_API ?? 'http://127.0.0.1:3000', ws: true },
      ]),
    ),
  },
});
