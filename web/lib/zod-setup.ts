/**
 * Zod compiles its parsers with `new Function`, which the page's security policy refuses and reports. Imported for
 * its effect, before any module that declares a schema.
 */
import { config } from 'zod';

config({ jitless: true });
