import { isObject } from '@weft/apply';
import type { Execution, ExecutionError, ExecutionEvent, Weft } from '@weft/client';
import { plainText } from '../output/plain-text';
import { CommandError, EXIT, type ExitCode } from '../session/exit-code';
import type { Call, CommandSpec } from './command';
import { findWorkflow } from './find-workflow';
import { followEvents } from './follow-events';
import { jsonInput } from './input';
import { WORKFLOW } from './workflow-commands';

const inputOf = ({ io, options }: Call): Record<string, unknown> | undefined => {
  const text = options.text('input');
  if (text === undefined) return undefined;
  const input = jsonInput(io, '--input', text);
  if (!isObject(input)) throw new CommandError('--input must be an object.', EXIT.usage);
  return { ...input };
};

/** One line about a node run. */
export const lineOf = ({
  type,
  time,
  node,
  run,
  status,
  durationMs,
  items,
  error,
  execution,
}: ExecutionEvent): string => {
  const at = time ?? '';
  if (type === 'execution.accepted') return `${at} accepted ${execution?.id ?? ''}`;
  if (type === 'execution.ended') return `${at} ended: ${execution?.state ?? ''}`;
  const count = items === undefined ? '' : ` ${items.reduce((sum, one) => sum + one, 0)} items`;
  const took = durationMs === undefined ? '' : ` ${durationMs} ms`;
  const failure = error === undefined ? '' : `: ${error.message}`;
  return `${at} ${status ?? ''} ${node ?? ''}[${run ?? 0}]${count}${took}${failure}`;
};

const codeOf = ({ state, data }: Execution): ExitCode => {
  if (state === 'success') return EXIT.success;
  if (state === 'cancelled') return EXIT.runCancelled;
  const reason = data.resultData?.error?.reason;
  if (state === 'crashed' || reason === 'TIMED_OUT' || reason === 'CRASHED') return EXIT.runCrashed;
  return state === 'error' ? EXIT.runFailed : EXIT.stillRunning;
};

/** The message of a failed run, with the node and what its service said. */
const failureOf = ({ message, node, description }: ExecutionError): string => {
  const at = node?.name === undefined ? '' : `${node.name}: `;
  return typeof description === 'string' && description !== '' ? `${at}${message} (${description})` : `${at}${message}`;
};

/** Waits for the end; undefined if the run has not ended in time. */
const untilEnded = async (weft: Weft, id: string, signal: AbortSignal): Promise<Execution | undefined> => {
  try {
    for (;;) {
      const { data } = await weft.call('getExecution', {
        path: { id },
        query: { includeData: false, wait: true },
        signal,
      });
      if (data.status === 'success' || data.status === 'error') return data;
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
};

const follow = async ({ io }: Call, weft: Weft, id: string, signal: AbortSignal): Promise<void> => {
  try {
    for await (const event of followEvents(weft, id, { follow: true, signal })) io.err(`${plainText(lineOf(event))}\n`);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};

const runWorkflow = async (call: Call): Promise<ExitCode> => {
  const { io, options, print, args, timeoutMs } = call;
  const input = inputOf(call);
  const weft = call.weft();
  const startNode = options.text('startNode');
  const { id } = await findWorkflow(weft, args[0] ?? '');
  const began = performance.now();
  const { data } = await weft.call('executeWorkflow', {
    path: { id },
    body: {
      ...(input === undefined ? {} : { data: input }),
      ...(startNode === undefined ? {} : { startNode }),
      ...(options.isSet('noPins') ? { usePinData: false } : {}),
    },
    headers: { 'idempotency-key': options.text('idempotencyKey') ?? crypto.randomUUID() },
    signal: io.signal,
  });
  const { executionId } = data;
  if (options.isSet('noWait')) {
    print.one({ id: executionId, ...data });
    return EXIT.success;
  }
  const left = Math.max(1, Math.ceil(timeoutMs - (performance.now() - began)));
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(left)]);
  if (options.isSet('follow')) await follow(call, weft, executionId, signal);
  const ended = await untilEnded(weft, executionId, signal);
  if (ended === undefined) {
    print.one({ id: executionId, executionId, state: 'running' });
    const now = io.signal.aborted ? 'The run continues.' : 'Still running.';
    io.err(`${now} Cancel it with: weft execution cancel ${executionId}\n`);
    return io.signal.aborted ? EXIT.interrupted : EXIT.stillRunning;
  }
  const shown = options.isSet('data') ? (await weft.call('getExecution', { path: { id: executionId } })).data : ended;
  print.one(shown);
  const { error } = ended.data.resultData ?? {};
  if (error !== undefined && error !== null)
    io.err(`${plainText(`weft: the run ended as ${ended.state}: ${failureOf(error)}`)}\n`);
  return codeOf(ended);
};

export const RUN_COMMAND: CommandSpec = {
  path: 'run',
  summary: 'Run a workflow and wait for its end; the exit code is that of the run',
  args: [WORKFLOW],
  options: [
    { flags: '--input JSON', description: 'an object for the run, or @FILE, or - for stdin' },
    { flags: '--start-node NODE', description: 'begin at this node' },
    { flags: '--no-pins', description: 'execute pinned nodes' },
    { flags: '--no-wait', description: 'return as soon as the run is stored' },
    { flags: '--follow', description: 'show node runs on stderr' },
    { flags: '--data', description: 'show all data of the run, not only the summary' },
    { flags: '--idempotency-key KEY', description: 'runs with the same key are one run' },
  ],
  run: runWorkflow,
};
