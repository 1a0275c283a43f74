import { usesKinds } from './apps';
import type { FileError, WorkflowDocument } from './document';
import { isList, isObject, type JsonObject } from './json';
import { hasDrifted, type ListedWorkflow, type Manager, type Matched } from './match';

/** A sentence about a field of a definition. */
export interface FieldNote {
  readonly field: string;
  readonly message: string;
}

/** What `POST /workflows/check` says about a definition. */
export interface CheckResult {
  /** As it would be stored; null if it cannot be. */
  readonly definition: JsonObject | null;
  readonly hash: string | null;
  readonly fields: readonly FieldNote[];
  readonly warnings: readonly FieldNote[];
  readonly credentials: readonly {
    readonly node: string;
    readonly type: string;
    readonly name: string;
    readonly id: string | null;
    readonly how: 'given' | 'id' | 'name' | 'ambiguous' | 'none';
  }[];
  readonly runnable: boolean;
  readonly routes: readonly {
    readonly method: string;
    readonly path: string;
    readonly node: string;
    readonly takenBy: string | null;
  }[];
}

/** A document with its workflow and its check. */
export interface Checked extends Matched {
  readonly check: CheckResult;
}

/** What to do, and what to leave alone. */
export interface PlanOptions {
  readonly manager: Manager;
  /** Undefined: no set was given; workflows keep theirs. */
  readonly set: string | undefined;
  /** Delete workflows of the set that no document describes; requires a set. */
  readonly prune: boolean;
  /** Prune more than half of the set. */
  readonly pruneAll: boolean;
  /** Take over workflows that another program or another set manages, or none. */
  readonly adopt: boolean;
  /** Replace workflows that were changed elsewhere. */
  readonly overwrite: boolean;
  /** Kinds of apps: workflows that use one are written although their file has not changed. Default: none. */
  readonly renewed?: ReadonlySet<string>;
}

/** Writes, in the order in which they take place: those that release an address before those that need one. */
export type Step =
  | { readonly action: 'deactivate'; readonly document: WorkflowDocument; readonly workflow: ListedWorkflow }
  | {
      readonly action: 'replace';
      readonly document: WorkflowDocument;
      readonly workflow: ListedWorkflow;
      readonly definition: JsonObject;
      readonly set: string;
    }
  | { readonly action: 'delete'; readonly workflow: ListedWorkflow }
  | {
      readonly action: 'create';
      readonly document: WorkflowDocument;
      readonly definition: JsonObject;
      readonly active: boolean;
      readonly set: string;
    }
  | { readonly action: 'activate'; readonly document: WorkflowDocument; readonly workflow: ListedWorkflow };

/** Why a document is not applied. */
export type ConflictReason =
  'CHANGED_ELSEWHERE' | 'MANAGED_ELSEWHERE' | 'NOT_MANAGED' | 'CREDENTIAL_NOT_LINKED' | 'WEBHOOK_PATH_TAKEN';

/** A document or a workflow that is left unchanged, or is not activated. */
export interface Conflict {
  readonly reason: ConflictReason;
  readonly document: WorkflowDocument | undefined;
  readonly workflow: ListedWorkflow | undefined;
  readonly message: string;
}

/** A sentence about a document that changes nothing. */
export interface Note {
  readonly document: WorkflowDocument;
  readonly message: string;
}

/** Everything that an application will do. With errors, it does nothing. */
export interface Plan {
  readonly errors: readonly FileError[];
  readonly steps: readonly Step[];
  readonly conflicts: readonly Conflict[];
  readonly warnings: readonly Note[];
  readonly unchanged: readonly Matched[];
}

const ORDER: readonly Step['action'][] = ['deactivate', 'replace', 'delete', 'create', 'activate'];

/** Field of a warning about a credential of a node. */
const CREDENTIAL_FIELD = /^nodes\[\d{1,6}\]\.credentials\./;

const sentence = ({ field, message }: FieldNote): string => `${field}: ${message}`;

const wantsActive = ({ document, workflow }: Matched): boolean => document.active ?? workflow?.active ?? false;

const unlinked = ({ credentials }: CheckResult) =>
  credentials.filter(({ how }) => how === 'none' || how === 'ambiguous');

/** Paths of the parameters whose address another workflow has. */
const takenFields = ({ definition, routes }: CheckResult): ReadonlySet<string> => {
  const nodes = definition?.['nodes'];
  const names = isList(nodes) ? nodes.map((node) => (isObject(node) ? node['name'] : undefined)) : [];
  return new Set(
    routes.filter(({ takenBy }) => takenBy !== null).map(({ node }) => `nodes[${names.indexOf(node)}].parameters.path`),
  );
};

const errorsOf = (checked: Checked): readonly FileError[] => {
  const { document, check } = checked;
  const taken = takenFields(check);
  const faults =
    check.definition === null || wantsActive(checked) ? check.fields.filter(({ field }) => !taken.has(field)) : [];
  return faults.map((fault) => ({ file: document.file, message: sentence(fault) }));
};

const conflictOfOwner = (
  { document, workflow, by }: Checked,
  { manager, set, adopt }: PlanOptions,
): Conflict | undefined => {
  if (workflow === undefined || adopt) return undefined;
  const { managed } = workflow;
  const whose = by === 'id' ? 'Its id is that of a workflow' : 'A workflow with this key exists';
  if (managed === undefined)
    return {
      reason: 'NOT_MANAGED',
      document,
      workflow,
      message: `${whose} that no file manages. Use --adopt to take it over.`,
    };
  if (managed.by === manager && (set === undefined || set === managed.set)) return undefined;
  const other = managed.by === manager ? `the set "${managed.set}"` : managed.by;
  return {
    reason: 'MANAGED_ELSEWHERE',
    document,
    workflow,
    message: `Managed by ${other}. Use --adopt to take it over.`,
  };
};

const driftMessage = 'Changed elsewhere since it was applied. Use --overwrite to replace that change.';

const conflictOfDrift = ({ document, workflow, check }: Checked, { overwrite }: PlanOptions): Conflict | undefined =>
  workflow === undefined || overwrite || !hasDrifted(workflow) || workflow.hash === check.hash
    ? undefined
    : { reason: 'CHANGED_ELSEWHERE', document, workflow, message: driftMessage };

const conflictOfCredentials = ({ document, workflow, check }: Checked): Conflict | undefined => {
  const missing = unlinked(check);
  if (missing.length === 0) return undefined;
  const counts = new Map<string, number>();
  for (const { type, name, how } of missing) {
    const what = `${type} "${name}" ${how === 'none' ? 'does not exist' : 'is ambiguous'}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const each = [...counts].map(([what, count]) => `${what} (${count} ${count === 1 ? 'node' : 'nodes'})`);
  const effect = workflow?.active === true ? 'Its active version is unchanged.' : 'It stays inactive.';
  return {
    reason: 'CREDENTIAL_NOT_LINKED',
    document,
    workflow,
    message: `Credential ${each.join(', ')}. ${effect} Create the credential, or use --map TYPE/NAME=ID.`,
  };
};

/** @param released ids of workflows whose addresses this plan may release. */
const conflictOfRoutes = (checked: Checked, released: ReadonlySet<string>): Conflict | undefined => {
  const { document, workflow, check } = checked;
  if (!wantsActive(checked)) return undefined;
  const taken = check.routes.filter(({ takenBy }) => takenBy !== null && !released.has(takenBy));
  if (taken.length === 0) return undefined;
  const each = taken.map(
    ({ method, path, takenBy }) =>
      `${method} ${path} by ${takenBy === '' || takenBy === null ? 'another workflow' : `workflow ${takenBy}`}`,
  );
  return {
    reason: 'WEBHOOK_PATH_TAKEN',
    document,
    workflow,
    message: `Addresses are taken: ${each.join(', ')}. Change the path, or deactivate the other workflow.`,
  };
};

const isUnchanged = ({ document, workflow, check }: Checked, { set, manager }: PlanOptions): boolean =>
  workflow?.hash !== undefined &&
  workflow.hash === check.hash &&
  workflow.key === document.key &&
  workflow.managed?.by === manager &&
  (set === undefined || workflow.managed.set === set);

const NO_KINDS: ReadonlySet<string> = new Set();

const stepsOf = (checked: Checked, options: PlanOptions, isLinked: boolean): readonly Step[] => {
  const { document, workflow, check } = checked;
  const { definition } = check;
  if (definition === null) return [];
  const active = wantsActive(checked);
  const set = options.set ?? workflow?.managed?.set ?? '';
  if (workflow === undefined) return [{ action: 'create', document, definition, active: active && isLinked, set }];
  return [
    ...(workflow.active && !active ? [{ action: 'deactivate' as const, document, workflow }] : []),
    ...((isUnchanged(checked, options) && !usesKinds(definition, options.renewed ?? NO_KINDS)) ||
    (!isLinked && active && workflow.active)
      ? []
      : [{ action: 'replace' as const, document, workflow, definition, set }]),
    ...(active && !workflow.active && isLinked ? [{ action: 'activate' as const, document, workflow }] : []),
  ];
};

const prunedOf = (
  checked: readonly Checked[],
  listed: readonly ListedWorkflow[],
  { prune, pruneAll, set, manager, overwrite }: PlanOptions,
): Pick<Plan, 'errors' | 'steps' | 'conflicts'> => {
  const none = { errors: [], steps: [], conflicts: [] };
  if (!prune || set === undefined) return none;
  const described = new Set(checked.flatMap(({ workflow }) => (workflow === undefined ? [] : [workflow.id])));
  const members = listed.filter(({ managed }) => managed?.by === manager && managed.set === set);
  const extra = members.filter(({ id }) => !described.has(id));
  if (!pruneAll && extra.length * 2 > members.length)
    return {
      ...none,
      errors: [
        {
          file: `--prune`,
          message:
            `would delete ${extra.length} of the ${members.length} workflows of the set "${set}". ` +
            'Use --prune-all if this is intended.',
        },
      ],
    };
  const isKept = (workflow: ListedWorkflow): boolean => hasDrifted(workflow) && !overwrite;
  return {
    errors: [],
    steps: extra.filter((workflow) => !isKept(workflow)).map((workflow) => ({ action: 'delete', workflow })),
    conflicts: extra
      .filter(isKept)
      .map((workflow) => ({ reason: 'CHANGED_ELSEWHERE', document: undefined, workflow, message: driftMessage })),
  };
};

/**
 * Plans the writes that make the workflows of an instance equal to documents. Pure: the same input has the same plan.
 *
 * @param listed workflows of the set or project; only these are pruned.
 */
export const planWorkflows = (
  checked: readonly Checked[],
  listed: readonly ListedWorkflow[],
  options: PlanOptions,
): Plan => {
  const pruned = prunedOf(checked, listed, options);
  const errors = [...checked.flatMap(errorsOf), ...pruned.errors];
  const released = new Set(
    [
      ...checked.map(({ workflow }) => workflow),
      ...pruned.steps.map((step) => ('workflow' in step ? step.workflow : undefined)),
    ].flatMap((workflow) => (workflow === undefined ? [] : [workflow.id])),
  );
  const conflicts: Conflict[] = [...pruned.conflicts];
  const steps: Step[] = [...pruned.steps];
  const unchanged: Matched[] = [];
  const warnings: Note[] = [];
  for (const one of checked) {
    const { document, check } = one;
    const stop = conflictOfOwner(one, options) ?? conflictOfDrift(one, options) ?? conflictOfRoutes(one, released);
    const missing = stop === undefined ? conflictOfCredentials(one) : undefined;
    const notes = wantsActive(one) ? check.warnings : [...check.fields, ...check.warnings];
    // The conflict names each missing credential once, and the server one for each node.
    const others = missing === undefined ? notes : notes.filter(({ field }) => !CREDENTIAL_FIELD.test(field));
    warnings.push(...others.map((note) => ({ document, message: sentence(note) })));
    if (stop !== undefined) {
      conflicts.push(stop);
      continue;
    }
    if (missing !== undefined) conflicts.push(missing);
    const wanted = stepsOf(one, options, missing === undefined);
    if (wanted.length === 0 && missing === undefined) unchanged.push(one);
    steps.push(...wanted);
  }
  const ordered = ORDER.flatMap((action) => steps.filter((step) => step.action === action));
  return { errors, steps: errors.length > 0 ? [] : ordered, conflicts, warnings, unchanged };
};
