import { isObject } from '@weft/apply';
import { WeftError, type ExecutionEvent, type Weft } from '@weft/client';
import { plainJson, plainText } from '../output/plain-text';
import { CommandError, EXIT, type ExitCode } from '../session/exit-code';
import type { Call, CommandSpec } from './command';
import { followEvents } from './follow-events';
import { countOf } from './input';
import { lineOf } from './run';

const EXECUTION = { name: 'execution', description: 'id of the execution' };
const ITEMS_PER_PAGE = 100;
const ITEM_BYTES = 1_048_576;

/** Kinds of nodes whose code may write to the console. */
const CODE = /\.(?:code|function|functionItem)$/;

/** Names of the nodes with code in the version that ran; none if that version is no longer stored. */
const codeNodes = async (weft: Weft, { execution }: ExecutionEvent): Promise<ReadonlySet<string>> => {
  if (execution?.versionId === undefined) return new Set();
  try {
    const { data } = await weft.call('getWorkflowVersion', {
      path: { id: execution.workflowId, versionId: execution.versionId },
    });
    const nodes = isObject(data.definition) ? data.definition['nodes'] : [];
    return new Set(
      (Array.isArray(nodes) ? nodes.filter(isObject) : [])
        .filter(({ type }) => CODE.test(String(type)))
        .map(({ name }) => String(name)),
    );
  } catch (error) {
    if (error instanceof WeftError && (error.status === 404 || error.status === 403)) return new Set();
    throw error;
  }
};

const consoleOf = async (weft: Weft, id: string, executionIndex: number): Promise<readonly string[]> => {
  const path = { id, executionIndex: String(executionIndex) };
  const { data } = await weft.call('getNodeRun', { path });
  return Array.isArray(data.console) ? data.console.filter((line) => typeof line === 'string') : [];
};

const logs = async (call: Call): Promise<ExitCode> => {
  const { io, args, options, print } = call;
  const weft = call.weft();
  const [id = ''] = args;
  const node = options.text('node');
  const asText = print.format === 'table';
  let withConsole: ReadonlySet<string> = new Set();
  for await (const event of followEvents(weft, id, { follow: options.isSet('follow'), signal: io.signal })) {
    if (event.type === 'execution.accepted') withConsole = await codeNodes(weft, event);
    if (node !== undefined && event.node !== node) continue;
    const { executionIndex, node: name } = event;
    const lines =
      executionIndex !== undefined && name !== undefined && withConsole.has(name)
        ? await consoleOf(weft, id, executionIndex)
        : [];
    if (asText) {
      io.out(`${plainText(lineOf(event))}\n`);
      for (const line of lines) io.out(`${plainText(`  ${name ?? ''}: ${line}`)}\n`);
    } else io.out(`${plainJson(lines.length === 0 ? event : { ...event, console: lines })}\n`);
  }
  return EXIT.success;
};

const indexOf = async (call: Call, weft: Weft, id: string, node: string, run: number): Promise<number> => {
  let runs = 0;
  for await (const event of followEvents(weft, id, { follow: false, signal: call.io.signal }))
    if (event.node === node) {
      if (event.run === run && event.executionIndex !== undefined) return event.executionIndex;
      runs += 1;
    }
  throw new CommandError(
    runs === 0 ? `The node "${node}" did not run in this execution.` : `The node "${node}" ran ${runs} times only.`,
    EXIT.notFound,
  );
};

const items = async (call: Call): Promise<ExitCode> => {
  const { io, args, options } = call;
  const [id = '', node = ''] = args;
  const run = countOf('--run', options.text('run'), 0, 1_000_000);
  const output = countOf('--output-index', options.text('outputIndex'), 0, 999);
  const limit = countOf('--limit', options.text('limit'), 1_000_000, 1_000_000);
  const weft = call.weft();
  const executionIndex = String(await indexOf(call, weft, id, node, run));
  let truncated = 0;
  for (let offset = 0; offset < limit;) {
    const { data, total } = await weft.call('listItems', {
      path: { id, executionIndex },
      query: { output, offset, limit: Math.min(ITEMS_PER_PAGE, limit - offset), maxItemBytes: ITEM_BYTES },
      signal: io.signal,
    });
    for (const item of data) {
      if (isObject(item) && item['truncated'] === true) truncated += 1;
      io.out(`${plainJson(item)}\n`);
    }
    offset += data.length;
    if (data.length === 0 || offset >= total) break;
  }
  if (truncated > 0)
    io.err(`${truncated} items have more than 1 MiB and are cut. See: weft execution get ${id} --data\n`);
  return EXIT.success;
};

export const LOG_COMMANDS: readonly CommandSpec[] = [
  {
    path: 'logs',
    summary: 'Show the node runs and console lines of an execution; JSON lines unless on a terminal',
    args: [EXECUTION],
    options: [
      { flags: '-f, --follow', description: 'continue until the execution ends' },
      { flags: '--node NODE', description: 'of this node only' },
    ],
    run: logs,
  },
  {
    path: 'items',
    summary: 'Print the items of a node run as JSON lines',
    args: [EXECUTION, { name: 'node', description: 'name of the node' }],
    options: [
      { flags: '--run NUMBER', description: 'which run of the node; default 0' },
      { flags: '--output-index NUMBER', description: 'which output of the node; default 0' },
      { flags: '--limit NUMBER', description: 'maximum number of items' },
    ],
    run: items,
  },
];
