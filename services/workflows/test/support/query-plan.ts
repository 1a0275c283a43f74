/** Summary of a query plan. Supports mongod, and FerretDB, which shows PostgreSQL's plan. */
export interface ShownPlan {
  /** The indexes it uses. */
  readonly indexes: readonly string[];
  /** True if it scans every document, or every entry of an index. */
  readonly isFullScan: boolean;
  /** True if the order comes from a sort rather than the index. */
  readonly isSorted: boolean;
}

type Step = Readonly<Record<string, unknown>>;

const stepsIn = (value: unknown): Step[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(stepsIn);
  return Array.isArray(value) ? inner : [Object.fromEntries(Object.entries(value)), ...inner];
};

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : undefined;

/** A scan of the primary key without bounds reads the whole collection. */
const isWholeIndex = (step: Step): boolean =>
  step['Index Name'] === '_id_' && !/object_id/.test(String(step['Index Cond'] ?? ''));

/** Reads the answer of explain. */
export const shownPlan = (explained: unknown): ShownPlan => {
  const planner = fieldOf(explained, 'queryPlanner');
  const postgres = stepsIn(fieldOf(planner, 'Plan')).filter((step) => typeof step['Node Type'] === 'string');
  const mongod = stepsIn(fieldOf(planner, 'winningPlan')).filter((step) => typeof step['stage'] === 'string');
  const kinds = [...postgres.map((step) => step['Node Type']), ...mongod.map((step) => step['stage'])];
  const indexes = [...postgres.map((step) => step['Index Name']), ...mongod.map((step) => step['indexName'])];
  return {
    indexes: indexes.filter((name): name is string => typeof name === 'string'),
    isFullScan: kinds.includes('Seq Scan') || kinds.includes('COLLSCAN') || postgres.some(isWholeIndex),
    isSorted: kinds.includes('Sort') || kinds.includes('SORT'),
  };
};
