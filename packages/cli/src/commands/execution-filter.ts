import { CommandError, EXIT } from '../session/exit-code';
import { findProject } from '../files/find-project';
import { timeOf } from '../session/duration';
import type { Call, OptionSpec } from './command';
import { findWorkflow } from './find-workflow';

/** Filters of lists of executions. */
export const FILTERS: readonly OptionSpec[] = [
  { flags: '--workflow WORKFLOW', description: 'id, key:KEY, or the exact name' },
  {
    flags: '--status STATUS',
    description: 'success, error, running or waiting',
    choices: ['success', 'error', 'running', 'waiting'],
  },
  { flags: '--from TIME', description: 'accepted at or after: 2h (ago), or a time with a zone' },
  { flags: '--to TIME', description: 'accepted before' },
  { flags: '--reason LIST', description: 'such as NODE_ERROR,TIMED_OUT' },
];

/** Further filters of `execution list`. */
export const LIST_FILTERS: readonly OptionSpec[] = [
  { flags: '--mode LIST', description: 'such as webhook,trigger' },
  { flags: '--project PROJECT', description: 'of workflows of this project: id or name' },
  { flags: '--request-id ID', description: 'X-Request-Id of the request that started it' },
  { flags: '--custom NAME=VALUE', description: 'with this custom data' },
  { flags: '--parent ID', description: 'called by this execution' },
];

const custom = (text: string): string => {
  const [, name, value] = /^([^=]{1,200})=(.{1,1000})$/s.exec(text) ?? [];
  if (name === undefined) throw new CommandError(`--custom ${text}: use NAME=VALUE.`, EXIT.usage);
  return `${name}:${value}`;
};

/** The filter of the API that these options describe. */
export const filterOf = async (call: Call): Promise<Readonly<Record<string, string>>> => {
  const { options } = call;
  const workflow = options.text('workflow');
  const [from, to] = [options.text('from'), options.text('to')];
  const [status, reason, mode] = [options.text('status'), options.text('reason'), options.text('mode')];
  const projectId = await findProject(call.weft(), options.text('project'));
  const [requestId, pair] = [options.text('requestId'), options.text('custom')];
  const parent = options.text('parent');
  return {
    ...(workflow === undefined ? {} : { workflowId: (await findWorkflow(call.weft(), workflow)).id }),
    ...(status === undefined ? {} : { status }),
    ...(from === undefined ? {} : { from: timeOf(from) }),
    ...(to === undefined ? {} : { to: timeOf(to) }),
    ...(reason === undefined ? {} : { reason }),
    ...(mode === undefined ? {} : { mode }),
    ...(projectId === undefined ? {} : { projectId }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(pair === undefined ? {} : { customData: custom(pair) }),
    ...(parent === undefined ? {} : { parentExecutionId: parent }),
  };
};
