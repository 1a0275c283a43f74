import type { WorkflowVersion } from '@weft/proto/workflows';
import { isJsonObject } from '@weft/service-kit/json';
import type { CrashPolicy, RunConcurrency } from './execution';

export type { WorkflowVersion };

/** Policy for other workflows that call this one. */
export type CallerPolicy = 'any' | 'none' | 'same-owner' | 'listed';

/** Facts about a version that executions need, read from its definition once. */
export interface VersionFacts {
  readonly name: string;
  /** Maximum milliseconds of a run, from its acceptance; absent: no limit. */
  readonly timeoutMs?: number;
  /** The workflow sets the time limit of its runs, or disables it: the default of the instance does not apply. */
  readonly hasOwnTimeout?: true;
  /** Retention of the records of its runs, in milliseconds; 0: forever; absent: the default of the instance. */
  readonly retentionMs?: number;
  /** Maximum number of records of its runs; absent: the default of the instance. */
  readonly retentionCount?: number;
  readonly crashPolicy: CrashPolicy;
  /** Names of the start nodes for an error workflow and a sub-workflow; empty: none. */
  readonly errorTrigger: string;
  readonly callTrigger: string;
  /** A caller gets the items of all runs of the last node, not only of its last run. */
  readonly returnsAllRuns?: true;
  /** One of its nodes calls workflows, so its runs may have children. */
  readonly callsWorkflows?: true;
  /** Workflow to start when a run fails; empty: none. */
  readonly errorWorkflow: string;
  /** Whether records of successful, failed and manual runs are kept. */
  readonly keeps: { readonly success: boolean; readonly error: boolean; readonly manual: boolean };
  /** Maximum number of runs that may run or wait; absent: unlimited. */
  readonly concurrency?: RunConcurrency;
  readonly callerPolicy: CallerPolicy;
  /** Workflows that may call this one when the policy is `listed`. */
  readonly callers: readonly string[];
  /** Ids of the credentials that each node uses. */
  readonly credentialsOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** Kind of each node: its type after the dot. */
  readonly kindOf: ReadonlyMap<string, string>;
  /** Nodes whose failure does not end a run. */
  readonly continuing: ReadonlySet<string>;
}

const objectAt = (value: unknown, key: string): Readonly<Record<string, unknown>> => {
  const found = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(found) ? found : {};
};

const textAt = (value: Readonly<Record<string, unknown>>, key: string): string => {
  const found = value[key];
  return typeof found === 'string' ? found : '';
};

const CALLER_POLICIES: ReadonlyMap<string, CallerPolicy> = new Map([
  ['any', 'any'],
  ['none', 'none'],
  ['workflowsFromSameOwner', 'same-owner'],
  ['workflowsFromAList', 'listed'],
]);

/** Kinds whose nodes call other workflows. */
const CALLING = ['executeWorkflow', 'langchain.toolWorkflow'];

const CRASH_POLICIES: ReadonlyMap<string, CrashPolicy> = new Map([
  ['resume', 'resume'],
  ['restart', 'restart'],
  ['fail', 'fail'],
]);

/** 0 and below: no limit. */
const timeoutOf = (settings: Readonly<Record<string, unknown>>): Pick<VersionFacts, 'timeoutMs' | 'hasOwnTimeout'> => {
  const setting = settings['executionTimeout'];
  const seconds = Number(setting);
  if (setting === undefined || setting === null || setting === '' || !Number.isFinite(seconds)) return {};
  return { hasOwnTimeout: true, ...(seconds > 0 ? { timeoutMs: Math.ceil(seconds * 1_000) } : {}) };
};

const DAY_MS = 86_400_000;

const retentionOf = (
  settings: Readonly<Record<string, unknown>>,
): Pick<VersionFacts, 'retentionMs' | 'retentionCount'> => {
  const { days, count } = objectAt(settings, 'retention');
  return {
    ...(typeof days === 'number' && days >= 0 ? { retentionMs: days * DAY_MS } : {}),
    ...(typeof count === 'number' && count >= 0 ? { retentionCount: count } : {}),
  };
};

const nodesOf = (definition: unknown): readonly Readonly<Record<string, unknown>>[] => {
  const nodes = isJsonObject(definition) ? definition['nodes'] : undefined;
  return Array.isArray(nodes) ? nodes.filter(isJsonObject) : [];
};

/** The nodes of a version as they are defined. */
export const nodesIn = ({ definition }: WorkflowVersion): readonly Node[] =>
  nodesOf(JSON.parse(definition.toString('utf8')));

const credentialIds = (node: Readonly<Record<string, unknown>>): ReadonlySet<string> =>
  new Set(
    Object.values(objectAt(node, 'credentials')).flatMap((reference) =>
      isJsonObject(reference) && typeof reference['id'] === 'string' ? [reference['id']] : [],
    ),
  );

type Node = Readonly<Record<string, unknown>>;

/** As the engine reads these options of a node. */
const continues = ({ onError, continueOnFail }: Node): boolean =>
  onError === 'continueRegularOutput' ||
  onError === 'continueErrorOutput' ||
  (onError !== 'stopWorkflow' && continueOnFail === true);

/** Names of the nodes that are attached to others, such as tools: those learn of their failures. */
const subNodesOf = (definition: unknown): readonly string[] =>
  Object.entries(objectAt(definition, 'connections')).flatMap(([name, links]) =>
    isJsonObject(links) && Object.keys(links).some((type) => type.startsWith('ai_')) ? [name] : [],
  );

/** The kind in a type such as `n8n-nodes-base.set` or `…-nodes-langchain.agent`; empty for types of another form. */
const kindOfType = (type: string): string =>
  /-nodes-base\.([^.]+)$/.exec(type)?.[1] ?? /-nodes-(langchain\.[^.]+)$/.exec(type)?.[1] ?? '';

/** The first enabled node of a kind. */
const firstOfKind = (nodes: readonly Node[], kind: string): Node | undefined =>
  nodes.find((node) => kindOfType(textAt(node, 'type')) === kind && node['disabled'] !== true);

/** Name of the first enabled node of a kind; empty if there is none. */
const nodeOfKind = (nodes: readonly Node[], kind: string): string => {
  const found = firstOfKind(nodes, kind);
  return found === undefined ? '' : textAt(found, 'name');
};

/** As set in the trigger for calls; always since its version 1.2. */
const returnsAllRuns = (nodes: readonly Node[]): boolean => {
  const trigger = firstOfKind(nodes, 'executeWorkflowTrigger');
  if (trigger === undefined) return false;
  return (
    Number(trigger['typeVersion'] ?? 1) >= 1.2 || textAt(objectAt(trigger, 'parameters'), 'returnOutput') === 'allRuns'
  );
};

/** A workflow with an error trigger is its own error workflow unless another one is set. */
const errorWorkflowOf = (settings: Node, errorTrigger: string, workflowId: string): string => {
  const named = textAt(settings, 'errorWorkflow');
  if (named !== '' && named !== 'DEFAULT') return named;
  return errorTrigger === '' ? '' : workflowId;
};

const WHEN_FULL: ReadonlyMap<unknown, RunConcurrency['whenFull']> = new Map([
  [undefined, 'queue'],
  [null, 'queue'],
  ['queue', 'queue'],
  ['skip', 'skip'],
  ['cancel-oldest', 'cancel-oldest'],
]);

const concurrencyFact = (stated: unknown): { concurrency?: RunConcurrency } => {
  if (!isJsonObject(stated)) return {};
  const limit = Number(stated['limit']);
  const whenFull = WHEN_FULL.get(stated['whenFull']);
  return Number.isInteger(limit) && limit > 0 && whenFull !== undefined
    ? { concurrency: { key: textAt(stated, 'key'), limit, whenFull } }
    : {};
};

/**
 * Reads the facts of a version. A missing or malformed fact counts as not set: the definition was checked where it was
 * saved.
 */
export const readVersionFacts = ({ definition, workflowId }: WorkflowVersion): VersionFacts => {
  const parsed: unknown = JSON.parse(definition.toString('utf8'));
  const settings = objectAt(parsed, 'settings');
  const nodes = nodesOf(parsed);
  const errorTrigger = nodeOfKind(nodes, 'errorTrigger');
  return {
    name: isJsonObject(parsed) ? textAt(parsed, 'name') : '',
    ...timeoutOf(settings),
    ...retentionOf(settings),
    ...concurrencyFact(settings['concurrency']),
    crashPolicy: CRASH_POLICIES.get(textAt(settings, 'crashPolicy')) ?? 'resume',
    errorTrigger,
    callTrigger: nodeOfKind(nodes, 'executeWorkflowTrigger'),
    ...(returnsAllRuns(nodes) ? { returnsAllRuns: true as const } : {}),
    ...(CALLING.every((kind) => nodeOfKind(nodes, kind) === '') ? {} : { callsWorkflows: true as const }),
    errorWorkflow: errorWorkflowOf(settings, errorTrigger, workflowId),
    keeps: {
      success: settings['saveDataSuccessExecution'] !== 'none',
      error: settings['saveDataErrorExecution'] !== 'none',
      manual: settings['saveManualExecutions'] !== false,
    },
    callerPolicy: CALLER_POLICIES.get(textAt(settings, 'callerPolicy')) ?? 'same-owner',
    callers: textAt(settings, 'callerIds')
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
    credentialsOf: new Map(nodes.map((node) => [textAt(node, 'name'), credentialIds(node)])),
    continuing: new Set([...nodes.filter(continues).map((node) => textAt(node, 'name')), ...subNodesOf(parsed)]),
    kindOf: new Map(nodes.map((node) => [textAt(node, 'name'), kindOfType(textAt(node, 'type'))])),
  };
};

/** The facts of a version, with this default time limit of the instance in milliseconds; 0: no limit. */
export const readFactsWithin =
  (defaultTimeoutMs: number) =>
  (version: WorkflowVersion): VersionFacts => {
    const facts = readVersionFacts(version);
    return facts.hasOwnTimeout === true || defaultTimeoutMs === 0 ? facts : { ...facts, timeoutMs: defaultTimeoutMs };
  };
