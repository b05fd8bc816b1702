/**
 * Node reads the package.json of every imported module, including its lists of imports and exports: Drizzle's is 130 kB
 * long, and a start imports some hundred of its files, and five hundred of ours. Between the files of one package,
 * imports are plain paths, which need no package.json.
 */
import { registerHooks } from 'node:module';

/** Folders of packages in which every `.js` file is a module. */
export const quickFolders = ['drizzle-orm', 'zod', 'jose/dist/webapi', 'hono/dist'];
const insidePackage = new RegExp(`/node_modules/(?:${quickFolders.join('|')})/(?!cjs/).*\\.js$`);
const root = new URL('../', import.meta.url).href;
/** As in the `imports` of our package.json: `#room/…` is `./room/…`. */
const ofRoom = /^#(?=[a-z]+\/)/;

export interface QuickAddress {
  url: string;
  format: 'module' | 'module-typescript';
}

/** Resolves an import by path within our files, or within one of these packages; null for any other import. */
export function resolveQuickly(specifier: string, parent: string | undefined): QuickAddress | null {
  if (!parent) return null;
  const isNear = specifier.startsWith('.');
  if (specifier.endsWith('.ts')) {
    if (!parent.startsWith(root) || parent.includes('/node_modules/')) return null;
    if (isNear) return { url: new URL(specifier, parent).href, format: 'module-typescript' };
    return ofRoom.test(specifier)
      ? { url: root + specifier.replace(ofRoom, ''), format: 'module-typescript' }
      : null;
  }
  const isInside = isNear && specifier.endsWith('.js') && insidePackage.test(parent);
  return isInside ? { url: new URL(specifier, parent).href, format: 'module' } : null;
}

let isOn = false;

/** Applies to everything imported after the first call. */
export function importQuickly(): void {
  if (isOn) return;
  isOn = true;
  registerHooks({
    resolve(specifier, context, resolveSlowly) {
      const quick = resolveQuickly(specifier, context.parentURL);
      return quick ? { ...quick, shortCircuit: true } : resolveSlowly(specifier, context);
    },
  });
}
