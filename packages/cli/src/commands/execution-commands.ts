import { isObject } from '@weft/apply';
import { CommandError, EXIT, type ExitCode } from '../session/exit-code';
import type { Call, CommandSpec } from './command';
import { FILTERS, filterOf, LIST_FILTERS } from './execution-filter';
import { countOf } from './input';

const EXECUTION = { name: 'execution', description: 'id of the execution' };
const COLUMNS = ['id', 'workflowId', 'mode', 'state', 'startedAt', 'finishedAt', 'tokens'];
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;

/** The entry with its tokens of models as `tokens`, if it called models. */
const withTokens = (entry: unknown): unknown => {
  if (!isObject(entry) || !isObject(entry['modelUsage'])) return entry;
  return { ...entry, tokens: entry['modelUsage']['totalTokens'] };
};

const list = async (call: Call): Promise<ExitCode> => {
  const { options, print, io } = call;
  const limit = countOf('--limit', options.text('limit'), DEFAULT_LIMIT, MAX_LIMIT);
  const query = { limit: Math.min(100, Math.max(1, limit)), ...(await filterOf(call)) };
  const found: unknown[] = [];
  for await (const entry of call.weft().pages('listExecutions', { query })) {
    if (found.length === limit) {
      io.err('There are more: use --limit.\n');
      break;
    }
    found.push(entry);
  }
  print.list(print.format === 'table' ? found.map(withTokens) : found, COLUMNS);
  return EXIT.success;
};

const retryAll = async (call: Call): Promise<ExitCode> => {
  const { options, print } = call;
  const { status, ...filter } = await filterOf(call);
  if (status === 'running' || status === 'waiting')
    throw new CommandError('Only executions that have ended can be retried: --status success or error.', EXIT.usage);
  const { body } = await call.weft().request('POST', '/executions/retry', {
    body: {
      filter: { ...filter, ...(status === undefined ? {} : { status }) },
      ...kindOf(call),
      ...(options.isSet('dryRun') ? { dryRun: true } : {}),
    },
    headers: { 'idempotency-key': crypto.randomUUID() },
  });
  print.one(typeof body === 'object' && body !== null && 'data' in body ? body.data : body);
  return EXIT.success;
};

const kindOf = ({ options }: Call) => ({
  ...(options.isSet('fromStart') ? { from: 'start' as const } : {}),
  ...(options.isSet('currentVersion') ? { version: 'current' as const } : {}),
});

const retry = async (call: Call): Promise<ExitCode> => {
  const { args, options, print } = call;
  const [id = ''] = args;
  if (options.isSet('all')) {
    if (id !== '') throw new CommandError('Give either an execution or --all.', EXIT.usage);
    return retryAll(call);
  }
  if (id === '') throw new CommandError('Give the id of an execution, or --all with a filter.', EXIT.usage);
  const { data } = await call.weft().call('retryExecution', {
    path: { id },
    body: kindOf(call),
    headers: { 'idempotency-key': crypto.randomUUID() },
  });
  print.one({ id: data.executionId, ...data });
  return EXIT.success;
};

const APPROVAL = { name: 'run', description: '`run` of the approval, from `execution get`' };
const MESSAGE = { flags: '--message TEXT', description: 'for the record, and for the model if it is rejected' };

const decide = async ({ weft, args, options, print }: Call, decision: 'approve' | 'reject'): Promise<ExitCode> => {
  const [id = '', run = ''] = args;
  const message = options.text('message');
  const body = { decision, ...(message === undefined ? {} : { message }) };
  print.one((await weft().call('decideApproval', { path: { id, run }, body })).data);
  return EXIT.success;
};

const reply = async ({ weft, args, options, print }: Call): Promise<ExitCode> => {
  const [id = '', run = ''] = args;
  const text = options.text('text');
  const bodies = [
    ...(text === undefined ? [] : [{ text }]),
    ...(options.isSet('approve') ? [{ approved: true }] : []),
    ...(options.isSet('reject') ? [{ approved: false }] : []),
  ];
  const [body, second] = bodies;
  if (body === undefined || second !== undefined)
    throw new CommandError('Give one of --text, --approve and --reject.', EXIT.usage);
  print.one((await weft().call('replyToChat', { path: { id, run }, body })).data);
  return EXIT.success;
};

export const EXECUTION_COMMANDS: readonly CommandSpec[] = [
  {
    path: 'execution list',
    summary: 'List executions, newest first',
    options: [
      ...FILTERS,
      ...LIST_FILTERS,
      { flags: '--limit NUMBER', description: `maximum number of entries; default ${DEFAULT_LIMIT}` },
    ],
    run: list,
  },
  {
    path: 'execution get',
    summary: 'Show an execution',
    args: [EXECUTION],
    options: [{ flags: '--data', description: 'with all data of the run' }],
    run: async ({ weft, args, options, print }) => {
      const path = { id: args[0] ?? '' };
      print.one((await weft().call('getExecution', { path, query: { includeData: options.isSet('data') } })).data);
      return EXIT.success;
    },
  },
  {
    path: 'execution cancel',
    summary: 'Cancel an unfinished execution',
    args: [EXECUTION],
    run: async ({ weft, args, print }) => {
      print.one((await weft().call('cancelExecution', { path: { id: args[0] ?? '' } })).data);
      return EXIT.success;
    },
  },
  {
    path: 'execution approve',
    summary: 'Approve a call of a tool that an execution waits to make',
    args: [EXECUTION, APPROVAL],
    options: [MESSAGE],
    run: (call) => decide(call, 'approve'),
  },
  {
    path: 'execution reject',
    summary: 'Reject a call of a tool that an execution waits to make',
    args: [EXECUTION, APPROVAL],
    options: [MESSAGE],
    run: (call) => decide(call, 'reject'),
  },
  {
    path: 'execution reply',
    summary: 'Reply to the message of a chat that an execution waits at',
    args: [EXECUTION, { name: 'run', description: '`run` of the reply, from `execution get`' }],
    options: [
      { flags: '--text TEXT', description: 'a message' },
      { flags: '--approve', description: 'the button that approves' },
      { flags: '--reject', description: 'the button that rejects' },
    ],
    run: reply,
  },
  {
    path: 'execution retry',
    summary: 'Run an ended execution again, or all that match a filter',
    args: [{ ...EXECUTION, optional: true }],
    options: [
      { flags: '--all', description: 'retry every execution of the filter, in the background' },
      ...FILTERS,
      { flags: '--from-start', description: 'from the start, not from the failed node' },
      { flags: '--current-version', description: 'with the current version of the workflow' },
      { flags: '--dry-run', description: 'count the executions and start nothing' },
    ],
    run: retry,
  },
  {
    path: 'execution delete',
    summary: 'Delete an ended execution and its data',
    args: [EXECUTION],
    run: async ({ weft, args, print }) => {
      const id = args[0] ?? '';
      await weft().call('deleteExecution', { path: { id } });
      print.one({ id });
      return EXIT.success;
    },
  },
];
