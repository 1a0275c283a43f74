import { credentialsByName, fileOf, writeDocuments } from '@weft/apply';
import type { Weft } from '@weft/client';
import { findProject } from '../files/find-project';
import { listSummaries } from '../files/list-summaries';
import { readWorkflow } from '../files/read-definitions';
import { EXIT, type ExitCode } from '../session/exit-code';
import type { ArgumentSpec, Call, CommandSpec } from './command';
import { findWorkflow } from './find-workflow';
import { countOf } from './input';

export const WORKFLOW: ArgumentSpec = { name: 'workflow', description: 'id, key:KEY, or the exact name' };

const COLUMNS = ['id', 'name', 'active', 'key', 'updatedAt'];
const MAX_LIMIT = 10_000;

const list = async ({ weft: connect, options, print }: Call): Promise<ExitCode> => {
  const limit = countOf('--limit', options.text('limit'), MAX_LIMIT, MAX_LIMIT);
  const weft = connect();
  const projectId = await findProject(weft, options.text('project'));
  const search = options.text('search');
  const [set, active] = [options.text('set'), options.text('active')];
  const query = {
    ...(search === undefined ? {} : { search }),
    ...(projectId === undefined ? {} : { projectId }),
    ...(set === undefined ? {} : { set }),
    ...(active === undefined ? {} : { active: active === 'true' }),
  };
  print.list(await listSummaries(weft, query, limit), COLUMNS);
  return EXIT.success;
};

const change =
  (make: (weft: Weft, id: string, call: Call) => Promise<unknown>): CommandSpec['run'] =>
  async (call) => {
    const weft = call.weft();
    const { id, name } = await findWorkflow(weft, call.args[0] ?? '');
    await make(weft, id, call);
    call.print.one({ id, name });
    return EXIT.success;
  };

export const WORKFLOW_COMMANDS: readonly CommandSpec[] = [
  {
    path: 'workflow list',
    summary: 'List workflows',
    options: [
      { flags: '--search TEXT', description: 'part of the name' },
      { flags: '--active BOOLEAN', description: 'true or false', choices: ['true', 'false'] },
      { flags: '--project PROJECT', description: 'of this project: id or name' },
      { flags: '--set NAME', description: 'of this set' },
      { flags: '--limit NUMBER', description: `maximum number of entries; default ${MAX_LIMIT}` },
    ],
    run: list,
  },
  {
    path: 'workflow get',
    summary: 'Show a workflow with its definition',
    args: [WORKFLOW],
    run: async ({ weft, args, print }) => {
      const client = weft();
      const { id } = await findWorkflow(client, args[0] ?? '');
      print.one(await readWorkflow(client, id));
      return EXIT.success;
    },
  },
  {
    path: 'workflow export',
    summary: 'Print a workflow as a file for weft apply: credentials by name, sorted keys; YAML, or JSON with -o json',
    args: [WORKFLOW],
    run: async ({ weft, args, options, io }) => {
      const client = weft();
      const { id } = await findWorkflow(client, args[0] ?? '');
      const stored = await readWorkflow(client, id);
      const file = fileOf({ active: stored['active'] === true }, credentialsByName(stored));
      io.out(writeDocuments(options.text('output') === 'json' ? 'json' : 'yaml', [file]));
      return EXIT.success;
    },
  },
  {
    path: 'workflow delete',
    summary: 'Delete a workflow',
    args: [WORKFLOW],
    run: change((weft, id) => weft.call('deleteWorkflow', { path: { id } })),
  },
  {
    path: 'workflow activate',
    summary: 'Activate a workflow',
    args: [WORKFLOW],
    run: change((weft, id) => weft.call('activateWorkflow', { path: { id } })),
  },
  {
    path: 'workflow deactivate',
    summary: 'Deactivate a workflow',
    args: [WORKFLOW],
    run: change((weft, id) => weft.call('deactivateWorkflow', { path: { id } })),
  },
  {
    path: 'workflow transfer',
    summary: 'Move a workflow to a project or user',
    args: [WORKFLOW, { name: 'destination', description: 'id of the project or user' }],
    run: change((weft, id, { args }) =>
      weft.call('transferWorkflow', { path: { id }, body: { destinationProjectId: args[1] ?? '' } }),
    ),
  },
  {
    path: 'workflow versions',
    summary: 'List the stored versions of a workflow, newest first',
    args: [WORKFLOW],
    run: async ({ weft, args, print }) => {
      const client = weft();
      const { id } = await findWorkflow(client, args[0] ?? '');
      const versions = [];
      for await (const version of client.pages('listWorkflowVersions', { path: { id } })) versions.push(version);
      print.list(versions, ['versionId', 'createdAt', 'current', 'hash']);
      return EXIT.success;
    },
  },
];
