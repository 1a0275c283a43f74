import type { AppDocument } from '@weft/app-model';
import type { KindDescriptor, KindTable, PinnedApp, WorkflowDefinition } from '@weft/node-catalogue';
import { createBoundedCache } from '@weft/service-kit/caching';
import { KIND_TABLE } from './kinds';
import { kindsOfApp } from './kinds-of-app';
import { LayeredTable } from './layered-table';
import { LazyTable } from './lazy-table';
import { ToolTable } from './tool-table';

/** Maximum number of characters of JSON whose apps are kept parsed. */
const MAX_KEPT = 8_000_000;

/** Apps in use, by digest and kinds: versions with the same revision share it. */
const parsed = createBoundedCache<string, AppDocument>({ maxWeight: MAX_KEPT, retainsOversized: true });

const tables = new WeakMap<readonly PinnedApp[], KindTable>();

/** The document of a pinned app. */
export function readPinnedApp({ digest, kinds, json }: PinnedApp): AppDocument {
  const key = [digest, ...kinds].join(' ');
  const known = parsed.get(key);
  if (known !== undefined) return known;
  const app: AppDocument = JSON.parse(json);
  parsed.set(key, app, json.length);
  return app;
}

/** The descriptor of a kind of a user-defined app. @throws Error if the app does not have it */
export function descriptorIn(app: AppDocument, kind: string): KindDescriptor {
  const descriptor = kindsOfApp(app).find((one) => one.kind === kind);
  if (descriptor === undefined) throw new Error(`The app ${app.name} has no kind ${kind}.`);
  return descriptor;
}

/**
 * The kinds that a definition may use: those of every workflow, and those of its user-defined apps. Their tools are
 * found by name, but not listed.
 */
export function kindsIn({ apps }: Pick<WorkflowDefinition, 'apps'>): KindTable {
  if (apps === undefined) return KIND_TABLE;
  const known = tables.get(apps);
  if (known !== undefined) return known;
  const own = apps.flatMap((app) =>
    app.kinds.map((kind): [string, () => KindDescriptor] => [kind, () => descriptorIn(readPinnedApp(app), kind)]),
  );
  const table = new ToolTable(new LayeredTable(new LazyTable(new Map(own)), KIND_TABLE));
  tables.set(apps, table);
  return table;
}
