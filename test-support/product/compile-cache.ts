/** Set by `./inkproof` too: a process started with it reuses what Node has compiled before. */
import path from 'node:path';

export const compileCache = {
  NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../../node_modules/.cache/node'),
};
