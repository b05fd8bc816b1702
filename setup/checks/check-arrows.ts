/**
 * Checks the arrows of docs/architecture.md: which room may import which, and no cycle between sibling folders.
 * Zones come from the folder listing, so that a new room is guarded the day it appears: a server feature that
 * is not in `serverOrder` may import no other feature. `node setup/checks/check-arrows.ts [FOLDER]` prints each
 * forbidden import with the right alternative; exit code 1 if there is one.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseSync } from 'oxc-parser';
import { findFolderCycles } from './folder-cycles.ts';
import { craftOrder, crafts } from './rooms.ts';

/** Rooms that run in the browser too. */
const inBrowser = new Set(['shared', 'latex']);
/** Rooms reached only through their index.ts; in the others every file may be imported. */
const behindDoors = new Set(['typesetting', 'reading', 'proving']);
/** Server features in order: each row may import the rows before it, through their index.ts. */
const serverOrder = [
  ['identity', 'credits', 'compile', 'ink'],
  ['library'],
  ['conversion', 'assistant'],
  ['account'],
];
/** Folders of server/ that every feature may use. */
const ground = new Set(['http', 'database', 'storage', 'mail', 'backup', 'country']);
/** Folders of server/ that assemble the features. */
const onTop = new Set(['cli', 'api-docs']);
const roots = [...crafts, 'server', 'web', 'bench', 'setup', 'site'];

export interface ForbiddenImport {
  from: string;
  to: string;
  /** What is wrong, and the alternative. */
  advice: string;
}

interface Import {
  from: string;
  /** The imported file relative to the project's root, `node:…`, or null for a package. */
  to: string | null;
}

/** @param root the project's folder */
export function checkArrows(root: string): ForbiddenImport[] {
  const forbidden: ForbiddenImport[] = [];
  const own: { from: string; to: string }[] = [];
  for (const file of roots.flatMap((folder) => listSources(root, folder))) {
    for (const { from, to } of readImports(root, file)) {
      if (to === null) continue;
      const advice = judge(from, to);
      if (advice !== null) forbidden.push({ from, to, advice });
      else if (!isOfTests(from) && !to.startsWith('node:')) own.push({ from, to });
    }
  }
  const advice = 'These folders import each other. Move what both need up, or to where it is used.';
  return [...forbidden, ...findFolderCycles(own).map((edge) => ({ ...edge, advice }))];
}

function listSources(root: string, folder: string): string[] {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`);
}

function readImports(root: string, from: string): Import[] {
  const source = readFileSync(path.join(root, from), 'utf8');
  const { module } = parseSync(from, source);
  const specifiers = [
    ...module.staticImports.map((one) => one.moduleRequest.value),
    ...module.staticExports.flatMap((one) =>
      one.entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map((one) =>
      source.slice(one.moduleRequest.start, one.moduleRequest.end).replace(/^['"`]|['"`]$/g, ''),
    ),
  ];
  return [...new Set(specifiers)].map((specifier) => ({ from, to: resolve(root, from, specifier) }));
}

function resolve(root: string, from: string, specifier: string): string | null {
  if (specifier.startsWith('node:')) return specifier;
  const bare = specifier.replace(/\?.*$/, '');
  const target = bare.startsWith('.')
    ? path.posix.join(path.posix.dirname(from), bare)
    : bare.startsWith('#')
      ? bare.slice(1)
      : null;
  // types that the router generates at build time
  if (target === null || target.includes('/+types/')) return null;
  const candidates = [target, `${target}.ts`, `${target}.tsx`, `${target}/index.ts`];
  return (
    candidates.find((name) => statSync(path.join(root, name), { throwIfNoEntry: false })?.isFile()) ?? target
  );
}

const isOfTests = (file: string) => /\.(test|spec)\.tsx?$/.test(file) || file.includes('/testing/');

/**
 * The advice for a forbidden import, or null. Both are paths relative to the project's root; `to` may be
 * `node:…`.
 */
function judge(from: string, to: string): string | null {
  const isTest = isOfTests(from);
  const [side, room = ''] = from.split('/');
  const [toSide, toRoom = ''] = to.split('/');
  if (inBrowser.has(side!) && !isTest && to.startsWith('node:'))
    return `${side}/ runs in the browser too: no Node module there.`;
  if (crafts.includes(side!)) return isTest ? null : judgeCraft(side!, to, toSide!);
  if (side === 'web' && toSide !== 'web' && !inBrowser.has(toSide!) && roots.includes(toSide!))
    return 'The browser reaches the server only over HTTP. Put what both need into shared/.';
  if (side === 'server' && toSide === 'web')
    return 'The server does not import the browser’s code. Put what both need into shared/.';
  if (side === 'server' && !isTest && isPastDoor(to, toSide!))
    return `${toSide}/ is imported only through its index.ts. Export there what is needed.`;
  if (side === 'server' && toSide === 'server') return judgeServer(from, room, to, toRoom, isTest);
  if (side === 'web' && toSide === 'web') return judgeWeb(from, room, to, toRoom);
  return null;
}

const isPastDoor = (to: string, toSide: string) => behindDoors.has(toSide) && to !== `${toSide}/index.ts`;

function judgeCraft(side: string, to: string, toSide: string): string | null {
  if (toSide === side || !roots.includes(toSide)) return null;
  const allowed = craftOrder.slice(
    0,
    craftOrder.findIndex((names) => names.includes(side)),
  );
  if (!allowed.flat().includes(toSide))
    return `${side}/ may import ${allowed.flat().join(', ') || 'packages only'}. Let the caller pass in what it needs.`;
  if (isPastDoor(to, toSide))
    return `${toSide}/ is imported only through its index.ts. Export there what is needed.`;
  return null;
}

function judgeServer(from: string, room: string, to: string, toRoom: string, isTest: boolean): string | null {
  // app.ts, run-server.ts and the command line assemble the rooms; tests may bypass any index.ts
  if (!from.slice('server/'.length).includes('/') || onTop.has(room) || isTest) return null;
  const isRoot = !to.slice('server/'.length).includes('/');
  if (isRoot || toRoom === 'cli')
    return 'Rooms do not import what assembles them. Let server/app.ts pass it in.';
  if (toRoom === room || ground.has(toRoom)) return null;
  if (ground.has(room))
    return `server/${room} is used by every feature: it imports only other such folders, the crafts and packages.`;
  if (onTop.has(toRoom)) return null;
  const row = serverOrder.findIndex((names) => names.includes(room));
  const allowed = serverOrder.slice(0, Math.max(row, 0)).flat();
  if (!allowed.includes(toRoom)) {
    const doors = allowed.map((name) => `server/${name}/index.ts`).join(', ');
    return `server/${room} may import ${doors || 'no other feature'} and the shared folders. Let server/app.ts pass in what it needs.`;
  }
  if (to !== `server/${toRoom}/index.ts` && to !== `server/${toRoom}/schema.ts`)
    return `Another feature reaches server/${toRoom} only through its index.ts. Export there what is needed.`;
  return null;
}

function judgeWeb(from: string, room: string, to: string, toRoom: string): string | null {
  const feature = room === 'features' ? from.split('/')[2] : null;
  if (feature) {
    const isOtherFeature = toRoom === 'features' && to.split('/')[2] !== feature;
    if (isOtherFeature || toRoom === 'app')
      return 'Features never import each other or the app. Compose them in web/app, or move what both need to web/ui or web/lib.';
  }
  if (room === 'ui' && (toRoom === 'app' || toRoom === 'features' || to.startsWith('web/lib/api')))
    return 'web/ui is presentational: no API client, no features.';
  if (room === 'lib' && toRoom !== 'lib') return 'web/lib imports shared, latex and packages only.';
  return null;
}

if (import.meta.main) {
  const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../..'));
  const forbidden = checkArrows(root);
  for (const { from, to, advice } of forbidden) console.log(`${from} → ${to}\n  ${advice}`);
  console.log(forbidden.length ? `${forbidden.length} forbidden imports` : 'every import follows the arrows');
  process.exitCode = forbidden.length ? 1 : 0;
}
