import type { Rest, RestAnswer } from './rest';

/** A definition, as a file or a test has it. */
export interface NamedDefinition {
  readonly name: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

/** Comparison of the checks of definitions with what really happens to them. */
export interface Comparison {
  /** Definitions that are runnable, and that are not. */
  readonly runnable: number;
  readonly refused: number;
  /** One line for each definition whose check was wrong. */
  readonly differences: readonly string[];
}

interface Checked {
  readonly runnable: boolean;
  readonly fields: readonly { readonly field: string }[];
  readonly routes: readonly { readonly method: string; readonly path: string }[];
}

/** Definitions in one check. */
const BATCH = 100;
/** Definitions stored at the same time. */
const TOGETHER = 8;

const fieldsOf = ({ json }: RestAnswer): string[] => {
  const fields = json.error?.details?.['fields'];
  return Array.isArray(fields) ? fields.map(({ field }: { readonly field: string }) => field) : [];
};

const isChecked = (value: unknown): value is Checked =>
  typeof value === 'object' && value !== null && 'runnable' in value && 'fields' in value && 'routes' in value;

const checkAll = async (rest: Rest, all: readonly NamedDefinition[]): Promise<Checked[]> => {
  const answer = await rest('POST', '/workflows/check', { workflows: all.map(({ definition }) => definition) });
  if (answer.status !== 200 || !Array.isArray(answer.json.data))
    throw new Error(`POST /workflows/check was answered ${answer.status}: ${answer.text.slice(0, 500)}`);
  return answer.json.data.filter(isChecked);
};

/** Tells whether a workflow has an enabled trigger of a kind that the instance knows. */
const triggerFinder = (rest: Rest): ((definition: NamedDefinition['definition']) => Promise<boolean>) => {
  const known = new Map<string, Promise<boolean>>();
  const isTrigger = (type: string): Promise<boolean> => {
    const found =
      known.get(type) ??
      rest('GET', `/node-types/${encodeURIComponent(type)}`).then(
        ({ json: { data } }) =>
          typeof data === 'object' && data !== null && 'isTrigger' in data && data.isTrigger === true,
      );
    known.set(type, found);
    return found;
  };
  return async ({ nodes }) => {
    if (!Array.isArray(nodes)) return false;
    for (const node of nodes)
      if (typeof node?.type === 'string' && node.disabled !== true && (await isTrigger(node.type))) return true;
    return false;
  };
};

/** Stores, activates or starts, and deletes a definition. @returns the fields of a refusal; undefined: none */
const realOutcome = async (
  rest: Rest,
  { definition }: NamedDefinition,
  hasTrigger: boolean,
): Promise<readonly string[] | undefined> => {
  const { active: _active, ...inactive } = definition;
  const created = await rest('POST', '/workflows', inactive);
  if (created.status !== 201) return fieldsOf(created);
  const { data } = created.json;
  const id = typeof data === 'object' && data !== null && 'id' in data ? String(data.id) : '';
  try {
    const tried = await rest('POST', `/workflows/${id}/${hasTrigger ? 'activate' : 'execute'}`);
    return tried.status < 300 ? undefined : fieldsOf(tried);
  } finally {
    await rest('DELETE', `/workflows/${id}`);
  }
};

const sorted = (fields: readonly string[]): string => JSON.stringify([...new Set(fields)].sort());

/**
 * Checks definitions with POST /workflows/check, then stores and activates each (or starts it, if it has no trigger),
 * and compares: `runnable` must be true exactly where that was accepted, and the errors must name the same fields.
 */
export const compareChecks = async (rest: Rest, all: readonly NamedDefinition[]): Promise<Comparison> => {
  const hasTrigger = triggerFinder(rest);
  const differences: string[] = [];
  const counts = { runnable: 0, refused: 0 };
  /** Resolves when no other definition with one of the addresses is active. */
  const busy = new Map<string, Promise<unknown>>();
  const compareOne = async (one: NamedDefinition, checked: Checked): Promise<void> => {
    const keys = checked.routes.map(({ method, path }) => `${method} ${path.replaceAll(/:[^/]*/g, ':')}`);
    const earlier = keys.flatMap((key) => busy.get(key) ?? []);
    const work = Promise.all(earlier).then(async () => realOutcome(rest, one, await hasTrigger(one.definition)));
    for (const key of keys)
      busy.set(
        key,
        work.catch(() => undefined),
      );
    const fields = await work;
    counts[checked.runnable ? 'runnable' : 'refused'] += 1;
    const expected = checked.fields.map(({ field }) => field);
    if (checked.runnable !== (fields === undefined) || sorted(expected) !== sorted(fields ?? []))
      differences.push(
        `${one.name}: the check says ${checked.runnable} ${sorted(expected)}, in fact ` +
          `${fields === undefined} ${sorted(fields ?? [])}`,
      );
  };
  for (let from = 0; from < all.length; from += BATCH) {
    const batch = all.slice(from, from + BATCH);
    const checked = await checkAll(rest, batch);
    if (checked.length !== batch.length) throw new Error('The check has another number of outcomes.');
    for (let at = 0; at < batch.length; at += TOGETHER)
      await Promise.all(
        batch.slice(at, at + TOGETHER).flatMap((one, index) => {
          const outcome = checked[at + index];
          return outcome === undefined ? [] : [compareOne(one, outcome)];
        }),
      );
  }
  return { ...counts, differences };
};

/** Changes nodes. `pick` returns a number below `count`. */
type Mutation = (nodes: Record<string, unknown>[], pick: (count: number) => number) => void;

const setting =
  (field: string, value: unknown): Mutation =>
  (nodes, pick) => {
    const node = nodes[pick(nodes.length)];
    if (node !== undefined) node[field] = value;
  };

/** Changes that make a definition differ in what can be wrong with it. */
const MUTATIONS: readonly Mutation[] = [
  (nodes, pick) => nodes.splice(pick(nodes.length), 1),
  setting('type', 'n8n-nodes-base.nonsense'),
  setting('type', 7),
  setting('typeVersion', 99),
  setting('disabled', true),
  setting('parameters', {}),
  setting('name', 'Renamed'),
  (nodes) => nodes.push({ name: 'Extra hook', type: 'n8n-nodes-base.webhook', parameters: { path: '' } }),
  (nodes) =>
    nodes.push({
      name: 'Extra clock',
      type: 'n8n-nodes-base.scheduleTrigger',
      parameters: { rule: { interval: [{ field: 'cronExpression', expression: 'x' }] } },
    }),
  (nodes) => nodes.push({ name: 'Extra start', type: 'n8n-nodes-base.manualTrigger', parameters: {} }),
];

/** Mutations of definitions, always the same ones for the same definitions. */
export const mutationsOf = (all: readonly NamedDefinition[], count: number): readonly NamedDefinition[] => {
  let state = 42;
  const pick = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return below === 0 ? 0 : Math.floor((state / 2_147_483_648) * below);
  };
  return Array.from({ length: all.length === 0 ? 0 : count }, (_, index) => {
    const { name, definition } = all[pick(all.length)] ?? { name: '', definition: {} };
    const changed: Record<string, unknown> = structuredClone(definition);
    const { nodes } = changed;
    const which = index % MUTATIONS.length;
    if (Array.isArray(nodes)) MUTATIONS[which]?.(nodes, pick);
    return { name: `${name} mutation ${which}`, definition: changed };
  });
};
