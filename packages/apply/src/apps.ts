import type { FileError } from './document';
import { isList, isObject, type JsonObject } from './json';
import type { Checked } from './plan';

/** An app as a file describes it. */
export interface AppFile {
  /** Path of the file, as messages show it. */
  readonly file: string;
  readonly name: string;
  /** Identifies the revision. */
  readonly digest: string;
  /** Names of its node kinds, or whole types of other packages. */
  readonly kinds: readonly string[];
  readonly document: JsonObject;
}

/** An app of the instance, as `GET /apps` lists it. */
export interface ListedApp {
  readonly name: string;
  readonly digest: string;
}

/** A write of an app. It comes before those of workflows, which may use it. */
export interface AppStep {
  readonly action: 'create' | 'replace';
  readonly app: AppFile;
  /** Digest of the revision that is replaced; undefined for a new app. */
  readonly seen: string | undefined;
}

/** Everything that an application does with apps. */
export interface AppPlan {
  readonly errors: readonly FileError[];
  /** Before the writes of workflows. */
  readonly steps: readonly AppStep[];
  readonly unchanged: readonly AppFile[];
  /** Apps that no file describes and that are deleted, after the writes of workflows. */
  readonly pruned: readonly ListedApp[];
}

/** `none`: apps without a file are left alone. `half`: at most half of the apps of the instance are deleted. */
export type AppPruning = 'none' | 'half' | 'all';

/** Apps that no file describes, and the error if they are too many. */
const prunedOf = (
  apps: readonly AppFile[],
  listed: readonly ListedApp[],
  pruning: AppPruning,
): Pick<AppPlan, 'errors' | 'pruned'> => {
  if (pruning === 'none') return { errors: [], pruned: [] };
  const described = new Set(apps.map(({ name }) => name));
  const pruned = listed.filter(({ name }) => !described.has(name));
  if (pruning === 'all' || pruned.length * 2 <= listed.length) return { errors: [], pruned };
  const message =
    `would delete ${pruned.length} of the ${listed.length} apps of the instance. ` +
    'Use --prune-all-apps if this is intended.';
  return { errors: [{ file: '--prune-apps', message }], pruned: [] };
};

/** Plans the writes that make the apps of an instance equal to files. Pure: the same input has the same plan. */
export const planApps = (
  apps: readonly AppFile[],
  listed: readonly ListedApp[],
  pruning: AppPruning = 'none',
): AppPlan => {
  const digests = new Map(listed.map(({ name, digest }) => [name, digest]));
  const first = new Map<string, AppFile>();
  const errors: FileError[] = [];
  const steps: AppStep[] = [];
  const unchanged: AppFile[] = [];
  for (const app of apps) {
    const earlier = first.get(app.name);
    const digest = digests.get(app.name);
    if (earlier !== undefined)
      errors.push({ file: app.file, message: `is the app "${app.name}" of ${earlier.file}. Give each its own name.` });
    else if (digest === app.digest) unchanged.push(app);
    else steps.push({ action: digest === undefined ? 'create' : 'replace', app, seen: digest });
    first.set(app.name, earlier ?? app);
  }
  const { errors: tooMany, pruned } = prunedOf(apps, listed, pruning);
  const all = [...errors, ...tooMany];
  return { errors: all, steps: all.length > 0 ? [] : steps, unchanged, pruned: all.length > 0 ? [] : pruned };
};

const OWN_TYPE = /^(?:weft|n8n)-nodes-base\.([A-Za-z0-9]{1,100})$/;

/** True if a node of a definition has one of the kinds of apps, or is a tool of one. */
export const usesKinds = ({ nodes }: JsonObject, kinds: ReadonlySet<string>): boolean =>
  (isList(nodes) ? nodes : []).some((node) => {
    const type = isObject(node) ? String(node['type']) : '';
    const kind = OWN_TYPE.exec(type)?.[1] ?? type;
    return kinds.has(kind) || (kind.endsWith('Tool') && kinds.has(kind.slice(0, -'Tool'.length)));
  });

/** The node types of a file that apps will provide, by index of the node. */
const pendingNodes = (
  { document, check }: Checked,
  apps: ReadonlyMap<string, AppFile>,
): ReadonlyMap<number, AppFile> => {
  const nodes = (check.definition ?? document.definition)['nodes'];
  return new Map(
    (isList(nodes) ? nodes : []).flatMap((node, index) => {
      const type = isObject(node) ? String(node['type']) : '';
      const app = apps.get(OWN_TYPE.exec(type)?.[1] ?? type);
      return app === undefined ? [] : [[index, app] as const];
    }),
  );
};

/**
 * Checks that were made before apps are added: errors about nodes of their kinds become warnings, since these nodes can
 * only be checked afterwards.
 */
export const beforeApps = (checked: readonly Checked[], steps: readonly AppStep[]): readonly Checked[] => {
  const kinds = new Map(steps.flatMap(({ app }) => app.kinds.map((kind) => [kind, app] as const)));
  return checked.map((one) => {
    const pending = pendingNodes(one, kinds);
    if (pending.size === 0) return one;
    const isOpen = ({ field }: { readonly field: string }): boolean =>
      pending.has(Number(/^nodes\[(\d{1,6})\]/.exec(field)?.[1] ?? -1));
    const { fields, warnings } = one.check;
    const notes = [...pending].map(([index, { name }]) => ({
      field: `nodes[${index}]`,
      message: `is checked after the app "${name}" has been added.`,
    }));
    return {
      ...one,
      check: {
        ...one.check,
        fields: fields.filter((field) => !isOpen(field)),
        warnings: [...warnings.filter((warning) => !isOpen(warning)), ...notes],
      },
    };
  });
};
