/**
 * Zod compiles its parsers with `new Function`, which the page's security policy refuses and reports. It reads its
 * settings from this global before it declares anything, so the script in the head says it whatever chunk comes first.
 */
export const configureZodScript = 'globalThis.__zod_globalConfig={jitless:true};';
