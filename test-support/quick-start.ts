/** Before each test file: what `./inkproof` does to start sooner. */
import { enableCompileCache } from 'node:module';
import { importQuickly } from '#server/platform/quick-imports.ts';
import { compileCache } from './compile-cache.ts';

enableCompileCache(compileCache.NODE_COMPILE_CACHE);
importQuickly();
