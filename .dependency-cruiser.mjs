// The arrows of docs/architecture.md, held by `depcruise`. Zones come from the folder listing, so that a new room
// is guarded the day it appears: a feature that is not placed in `serverOrder` may import no other feature.
import { readdirSync } from 'node:fs';

/** Server features from the ground up: each may import those before its own row, through their index.ts. */
const serverOrder = [['identity', 'credits', 'typesetting'], ['library'], ['conversion', 'assistant']];
const notFeatures = new Set(['platform', 'cli']);

const folders = (root) => {
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
};

const serverFeatures = folders('server').filter((name) => !notFeatures.has(name));
const webFeatures = folders('web/features');

const serverRules = serverFeatures.flatMap((feature) => {
  const row = serverOrder.findIndex((names) => names.includes(feature));
  const allowed = serverOrder.slice(0, Math.max(row, 0)).flat();
  const forbidden = serverFeatures.filter((other) => other !== feature && !allowed.includes(other));
  return [
    {
      name: `server-${feature}-may-not-reach`,
      comment: `server/${feature} may import ${allowed.length ? allowed.map((name) => `server/${name}/index.ts`).join(', ') : 'no other feature'}, platform and shared. Let server/app.ts hand in what it needs.`,
      severity: 'error',
      from: { path: `^server/${feature}/` },
      to: { path: `^server/(${['cli', ...forbidden].join('|')})/|^server/(app|main)\\.ts$` },
    },
    {
      name: `server-${feature}-through-index`,
      comment: `Another feature reaches server/${feature} through its index.ts alone. Export there what is needed.`,
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: [`^server/${feature}/`, '^server/(app|main)\\.ts$', '^server/cli/', '\\.test\\.ts$'],
      },
      to: {
        path: `^server/${feature}/`,
        pathNot: [`^server/${feature}/index\\.ts$`, `^server/${feature}/schema\\.ts$`],
      },
    },
  ];
});

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'These files import each other in a circle. Move what both need into a third.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'shared-stands-alone',
      comment:
        'shared/ is what both sides agree on: it imports nothing of server or web, and no Node module.',
      severity: 'error',
      from: { path: '^shared/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(server|web|bench|e2e|setup|test-support)/' },
    },
    {
      name: 'shared-runs-in-browsers',
      comment: 'shared/ runs in the browser too: no Node module there.',
      severity: 'error',
      from: { path: '^shared/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'web-and-server-never-meet',
      comment: 'The browser speaks to the server over HTTP alone. Put what both need into shared/.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^server/' },
    },
    {
      name: 'server-and-web-never-meet',
      comment: 'The server knows nothing of the browser’s code. Put what both need into shared/.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^web/' },
    },
    {
      name: 'platform-knows-no-feature',
      comment: 'server/platform is what every feature stands on: it imports shared and packages only.',
      severity: 'error',
      from: { path: '^server/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: `^server/(${['cli', ...serverFeatures].join('|')})/|^server/(app|main)\\.ts$` },
    },
    ...serverRules,
    ...webFeatures.map((feature) => ({
      name: `web-feature-${feature}`,
      comment:
        'Features never import each other or the app. Compose them in web/app, or move what both need to web/ui or web/lib.',
      severity: 'error',
      from: { path: `^web/features/${feature}/` },
      to: { path: `^web/features/(?!${feature}/)|^web/app/` },
    })),
    {
      name: 'web-ui-has-no-data',
      comment: 'web/ui is presentational: no API client, no features.',
      severity: 'error',
      from: { path: '^web/ui/' },
      to: { path: '^web/(app|features|lib/api)' },
    },
    {
      name: 'web-lib-is-the-ground',
      comment: 'web/lib imports shared and packages only.',
      severity: 'error',
      from: { path: '^web/lib/' },
      to: { path: '^web/(app|features|ui)/' },
    },
    {
      name: 'not-to-unresolvable',
      comment: 'This import resolves to nothing.',
      severity: 'error',
      from: { pathNot: '^web/app/' },
      to: { couldNotResolve: true, pathNot: '^\\./\\+types|\\?(url|raw|worker)$|^virtual:' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(build|data|node_modules)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
};
