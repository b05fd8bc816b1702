/**
 * Zod compiles its parsers with `new Function`, which the page's security policy blocks and reports. It reads its
 * settings from this global when it loads, so the script in the head sets it before any chunk can.
 */
export const configureZodScript = 'globalThis.__zod_globalConfig={jitless:true};';
