/** For each test file: what `./inkproof` does to start sooner, also for processes of the product. */
import { enableCompileCache } from 'node:module';
import process from 'node:process';
import { importQuickly } from '#platform/quick-imports.ts';
import { compileCache } from './product/compile-cache.ts';

enableCompileCache(compileCache.NODE_COMPILE_CACHE);
Object.assign(process.env, compileCache);
importQuickly();
