/** Before each test file: what `./inkproof` does to start sooner. Each file is a process of its own, and imports anew. */
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { importQuickly } from '#server/platform/quick-imports.ts';

enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/node'));
importQuickly();
