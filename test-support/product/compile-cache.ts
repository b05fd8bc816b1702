/** What `./inkproof` sets too: a process that is started with it finds what Node has compiled before. */
import path from 'node:path';

export const compileCache = {
  NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../../node_modules/.cache/node'),
};
