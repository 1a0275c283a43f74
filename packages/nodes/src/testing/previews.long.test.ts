import {
  initialState,
  prepareWorkflow,
  runWorkflow,
  type NodePorts,
  type NodeRunRecord,
  type RunData,
} from '@weft/engine';
import { Previewer, type PreparedWorkflow, type PreviewPlace } from '@weft/engine/preview';
import { memoryDataTables, memoryFileArea, memoryFiles } from '@weft/engine/testing';
import { corpusFiles, hasCorpus } from '@weft/expressions/testing/corpus';
import {
  isJsonObject,
  readDefinition,
  type Json,
  type JsonObject,
  type WorkflowDefinition,
} from '@weft/node-catalogue';
import { KIND_TABLE } from '../descriptors/kinds';
import { NODE_REGISTRY } from '../executors';
import { evaluateFilterParameter } from '../shared/conditions/filter-parameter';
import { inProcessFormats } from './files/in-process-formats';
import { openCode, type OpenCode } from './open-code';

type PreparedNode = NonNullable<ReturnType<PreparedWorkflow['nodes']['get']>>;

/** Expressions whose value depends on the time or on chance. */
const VARIES = /\$now|\$today|Date|random|uuid|\$execution|timestamp/i;
/** Items of one node run that are compared. */
const MAX_ITEMS = 50;

const refuse = (): Promise<never> => Promise.reject(new Error('Not part of this test.'));

const portsWith = (code: OpenCode): NodePorts => ({
  http: { request: refuse },
  streams: { stream: refuse },
  mail: { send: refuse },
  databases: { postgres: refuse, mysql: refuse, redis: refuse, mongo: refuse },
  remote: { mailbox: refuse, ssh: refuse, ftp: refuse },
  credentials: { use: refuse },
  clock: { now: () => 1_700_000_000_000, sleep: () => Promise.resolve() },
  files: memoryFiles(),
  code,
  formats: inProcessFormats,
  dataTables: memoryDataTables([]),
  fileArea: memoryFileArea(),
  instance: { isHere: () => Promise.resolve(false), call: refuse },
  persistentState: { read: refuse, write: refuse, inTurn: refuse, firstResult: refuse },
  startChild: refuse,
  respond: () => Promise.resolve(true),
});

/** Workflows of the corpus with a node of one of the kinds. */
const workflows = (): { readonly path: string; readonly definition: WorkflowDefinition; readonly text: string }[] =>
  ['n8n-node-tests', 'real-workflows', 'oracle-probes'].flatMap((folder) =>
    corpusFiles(folder, '.json').flatMap(({ path, text }) => {
      const json: Json = JSON.parse(text.replace(/^\ufeff/, ''));
      const holder = isJsonObject(json) && isJsonObject(json['workflow']) ? json['workflow'] : json;
      if (!isJsonObject(holder) || !Array.isArray(holder['nodes'])) return [];
      const definition = readDefinition(holder);
      const isOne = definition.nodes.some(({ type }) => /-base\.(?:set|if|filter|switch)$/.test(type));
      return isOne && definition.nodes.length < 100 ? [{ path, definition, text: JSON.stringify(holder) }] : [];
    }),
  );

const startOf = ({ nodes }: WorkflowDefinition): string | undefined => {
  const isTrigger = ({ type }: (typeof nodes)[number]): boolean =>
    KIND_TABLE.get(type.split('.').at(-1) ?? '')?.isTrigger === true;
  return (nodes.find(({ type }) => type.endsWith('.manualTrigger')) ?? nodes.find(isTrigger))?.name;
};

const runOnce = async (definition: WorkflowDefinition, start: string, code: OpenCode): Promise<RunData> => {
  const { records } = await runWorkflow(
    {
      workflow: prepareWorkflow(definition, KIND_TABLE),
      workflowId: 'w1',
      workflowActive: false,
      executionId: 'e1',
      mode: 'manual',
      input: [{ json: {} }],
      state: initialState(start),
      records: new Map(),
      usePinData: true,
      signal: AbortSignal.timeout(10_000),
    },
    { registry: NODE_REGISTRY, ports: portsWith(code), defaultTimezone: 'UTC', vars: {}, env: {}, nodeRunsMax: 200 },
    { onNodeRun: () => undefined, stopRequested: () => undefined },
  );
  return records;
};

/** A preview that cannot be compared: it failed, is cut, or varies. */
class NotComparable extends Error {}

/** Previews over the data of a run, as the editor loads it. */
const previewsOf = (text: string, records: RunData): Previewer => {
  const previewer = new Previewer();
  previewer.setKinds(KIND_TABLE);
  previewer.setDefinition(readDefinition(JSON.parse(text)));
  const runs = [...records].flatMap(([node, list]) => list.map((record, run) => ({ node, run, record })));
  previewer.setExecution({
    workflowId: 'w1',
    workflowActive: false,
    executionId: 'e1',
    mode: 'manual',
    vars: {},
    defaultTimezone: 'UTC',
    runs: runs.map(({ node, run, record }) => ({
      node,
      run,
      executionIndex: record.executionIndex,
      source: record.source,
      items: (record.data?.main ?? []).map((items) => items.length),
      hasFailed: record.executionStatus === 'error',
    })),
  });
  for (const { record } of runs)
    (record.data?.main ?? []).forEach((items, output) =>
      previewer.addItems({ executionIndex: record.executionIndex, output }, 0, JSON.parse(JSON.stringify(items))),
    );
  return previewer;
};

/** A value of parameters with all expressions in it replaced by their previews. */
const resolve = (previewer: Previewer, value: Json | undefined, place: PreviewPlace): Json | undefined => {
  if (typeof value === 'string' && value.startsWith('=')) {
    if (VARIES.test(value)) throw new NotComparable();
    const outcome = previewer.evaluate(value, place);
    if (outcome.kind !== 'value' || outcome.value.isCut || outcome.value.type === 'date') throw new NotComparable();
    return outcome.value.json;
  }
  if (Array.isArray(value)) return value.map((entry) => resolve(previewer, entry, place) ?? null);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, entry]): [string, Json][] => {
    const resolved = resolve(previewer, entry, place);
    return resolved === undefined ? [] : [[key, resolved]];
  });
  return Object.fromEntries(entries);
};

interface Place extends PreviewPlace {
  readonly record: NodeRunRecord;
}

/** Number of items of the first input that has any. */
const inputCount = (records: RunData, { source }: NodeRunRecord): number =>
  source
    .filter((one) => one !== null)
    .map(
      ({ previousNode, previousNodeRun = 0, previousNodeOutput = 0 }) =>
        records.get(previousNode)?.[previousNodeRun]?.data?.main?.[previousNodeOutput]?.length ?? 0,
    )
    .find((count) => count > 0) ?? 0;

/** Outputs of an item in the record. */
const outputsOfItem = ({ data }: NodeRunRecord, item: number): readonly number[] =>
  (data?.main ?? []).flatMap((items, output) =>
    items.some(({ pairedItem }) => isJsonObject(pairedItem) && pairedItem['item'] === item) ? [output] : [],
  );

const passes = (previewer: Previewer, node: PreparedNode, path: string, place: Place, looseSince?: number): boolean =>
  evaluateFilterParameter(
    {
      version: node.version,
      timezone: 'UTC',
      defaultOf: (name) => node.parameters.defaultOf(name),
      parameter: (name) => resolve(previewer, node.parameters.raw(name), place),
    },
    path,
    place.item,
    looseSince,
  );

/** Outputs to which the previews send an item; undefined for forms that are not compared. */
const predicted = (previewer: Previewer, node: PreparedNode, place: Place): readonly number[] | undefined => {
  if ((node.kind === 'if' || node.kind === 'filter') && node.version >= 2)
    return [passes(previewer, node, 'conditions', place) ? 0 : 1];
  const rules = node.parameters.raw('rules.values');
  if (
    node.kind !== 'switch' ||
    node.version < 3 ||
    !Array.isArray(rules) ||
    node.parameters.raw('mode') === 'expression'
  )
    return undefined;
  if (node.parameters.raw('options.allMatchingOutputs') === true) return undefined;
  const first = rules.findIndex((_, rule) => passes(previewer, node, `rules.values.${rule}.conditions`, place, 3.1));
  return first < 0 ? undefined : [first];
};

/** Fields that a Set node wrote, with what the previews say. */
const fieldsOf = (
  previewer: Previewer,
  node: PreparedNode,
  place: Place,
): readonly (readonly [string, Json, Json])[] => {
  const assignments = node.parameters.raw('assignments.assignments');
  const written = place.record.data?.main?.[0]?.[place.item]?.json;
  if (node.kind !== 'set' || node.version < 3.3 || node.parameters.raw('mode') !== 'manual' || written === undefined)
    return [];
  const list = (Array.isArray(assignments) ? assignments : []).filter(isJsonObject);
  return list.flatMap((row): (readonly [string, Json, Json])[] => {
    const { name, type = 'string', value } = row;
    if (typeof name !== 'string' || /[.[\]=]/.test(name) || list.filter((one) => one['name'] === name).length > 1)
      return [];
    if (typeof value !== 'string' || !value.startsWith('=')) return [];
    try {
      const shown = resolve(previewer, value, place);
      const kind = Array.isArray(shown) ? 'array' : typeof shown;
      // Another type is converted by the node.
      return shown !== undefined && kind === type ? [[name, shown, fieldOf(written, name)]] : [];
    } catch (error) {
      if (error instanceof NotComparable) return [];
      throw error;
    }
  });
};

const fieldOf = (json: JsonObject, name: string): Json => (Object.hasOwn(json, name) ? (json[name] ?? null) : null);

(hasCorpus ? describe : describe.skip)('previews of corpus runs', () => {
  let code: OpenCode;
  beforeAll(() => {
    code = openCode(2_000);
  });
  afterAll(() => code.close());

  it('equal what the runs recorded of Set, If, Filter and Switch nodes', async () => {
    const counts = { set: 0, if: 0, filter: 0, switch: 0 };
    const differences: unknown[] = [];
    for (const { path, definition, text } of workflows()) {
      const start = startOf(definition);
      if (start === undefined) continue;
      const records = await runOnce(definition, start, code).catch((): RunData => new Map());
      const previewer = previewsOf(text, records);
      const prepared = prepareWorkflow(definition, KIND_TABLE);
      for (const [name, list] of records)
        for (const [run, record] of list.entries()) {
          const node = prepared.nodes.get(name);
          const { kind } = node ?? {};
          if (node === undefined || record.pinned === true || record.executionStatus === 'error') continue;
          if (kind !== 'set' && kind !== 'if' && kind !== 'filter' && kind !== 'switch') continue;
          if (node.definition.disabled === true || node.options.executeOnce) continue;
          const total = inputCount(records, record);
          for (let item = 0; item < Math.min(total, MAX_ITEMS); item += 1) {
            const place = { node: name, sources: record.source, run, item, record };
            for (const [field, shown, written] of fieldsOf(previewer, node, place)) {
              counts.set += 1;
              if (JSON.stringify(shown) !== JSON.stringify(written))
                differences.push({ path, name, item, field, shown, written });
            }
            if (kind === 'set') continue;
            try {
              const outputs = predicted(previewer, node, place);
              if (outputs === undefined) continue;
              counts[kind] += 1;
              const taken = outputsOfItem(record, item);
              if (outputs.join() !== taken.join()) differences.push({ path, name, item, outputs, taken });
            } catch {
              // The node sends an item whose conditions cannot be evaluated where its settings say.
            }
          }
        }
    }
    process.stderr.write(`previews compared: ${JSON.stringify(counts)}\n`);
    expect(differences).toEqual([]);
    expect(counts.set).toBeGreaterThan(100);
    expect(Math.min(counts.if, counts.filter, counts.switch)).toBeGreaterThan(0);
  }, 600_000);
});
