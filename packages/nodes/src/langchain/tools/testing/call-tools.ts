import { isJsonObject, type Json, type JsonObject, textField } from '@weft/node-catalogue';
import type { NodePorts, RunNode, ToolRequest } from '@weft/engine';
import { runInPieces, runTest, type TestResult, type TestRun } from '@weft/engine/testing';
import { KIND_TABLE } from '../../../descriptors/kinds';
import { NODE_REGISTRY } from '../../../executors';
import { inProcessFormats } from '../../../testing/files/in-process-formats';
import { checkArguments } from '../schema/check-arguments';
import { toolErrorText, toolText } from '../tool-text';

/** A tool node: its type, and what else it has. */
export interface ToolNode {
  readonly type: string;
  readonly name?: string;
  readonly version?: number;
  readonly parameters?: JsonObject;
  readonly over?: JsonObject;
}

/** A run of a root that calls a tool, as an agent does. */
export interface ToolTest {
  readonly tool: ToolNode;
  /** Arguments of the calls, one after the other; none to read only the functions. */
  readonly calls?: readonly JsonObject[];
  /** JSON of the item that the root has; an empty object if absent. */
  readonly item?: JsonObject;
  /** True for a root that does not check the arguments. */
  readonly isUnchecked?: boolean;
  readonly ports?: Partial<NodePorts>;
  readonly over?: Partial<TestRun>;
}

/** Functions and results as the root saw them. */
export interface ToolTestResult {
  readonly result: TestResult;
  readonly functions: readonly JsonObject[];
  /** Texts for the model, in the order of the calls. */
  readonly texts: readonly string[];
}

/** Offers its tools to a scripted model, and reports their functions and the results that the model would read. */
const root: RunNode = async (context) => {
  const [tool] = await context.attached('ai_tool', 0);
  if (tool === undefined) throw new Error('The root has no tool.');
  const functions: JsonObject[] = tool.handle.functions.map((one) => JSON.parse(JSON.stringify(one)));
  const { continuation } = context;
  const calls = context.rawParameter('calls');
  const texts = Array.isArray(continuation?.state['texts']) ? continuation.state['texts'] : [];
  const read = (continuation?.outcomes ?? []).map(({ items, error }) =>
    error === undefined ? toolText(items) : toolErrorText(error),
  );
  const all: Json[] = [...texts, ...read];
  const next = Array.isArray(calls) ? calls[all.length] : undefined;
  if (!isJsonObject(next)) return { kind: 'items', outputs: [[{ json: { functions, texts: all } }]] };
  const [only = {}] = functions;
  const { parameters } = only;
  const checked =
    context.rawParameter('isUnchecked') === true
      ? { input: next }
      : checkArguments(isJsonObject(parameters) ? parameters : {}, next);
  if ('fault' in checked) return { kind: 'request', calls: [], state: { texts: [...all, checked.fault] } };
  const request: ToolRequest = {
    id: `call_${all.length}`,
    node: tool.node,
    tool: textField(only, 'name') ?? '',
    input: checked.input,
    itemIndex: 0,
  };
  return { kind: 'request', calls: [request], state: { texts: all } };
};

/** Runs a workflow whose root calls one tool, on the real engine with the real kinds. */
export async function callTools(test: ToolTest): Promise<ToolTestResult> {
  return seenBy(await runTest(testRunOf(test)));
}

/** The same, with the run moved to another process after every node run. */
export async function callToolsInPieces(test: ToolTest): Promise<ToolTestResult> {
  return seenBy(await runInPieces(testRunOf(test)));
}

/** The run of a test. */
export function testRunOf({ tool, calls = [], item = {}, isUnchecked = false, ports, over }: ToolTest): TestRun {
  const { type, name = 'Look up', version, parameters = {} } = tool;
  return {
    nodes: [
      ['Root', 'root', { parameters: { calls: [...calls], isUnchecked } }],
      [name, 'tool', { type, parameters, ...(version === undefined ? {} : { typeVersion: version }), ...tool.over }],
    ],
    links: [`${name}>Root@ai_tool`],
    input: [item],
    executors: { root },
    kinds: KIND_TABLE,
    registry: NODE_REGISTRY,
    ...over,
    ports: { formats: inProcessFormats, ...ports },
  };
}

function seenBy(result: TestResult): ToolTestResult {
  const json = result.records.get('Root')?.at(-1)?.data?.main?.[0]?.[0]?.json;
  const { functions = [], texts = [] } = json ?? {};
  return {
    result,
    functions: Array.isArray(functions) ? functions.filter(isJsonObject) : [],
    texts: Array.isArray(texts) ? texts.map(String) : [],
  };
}
