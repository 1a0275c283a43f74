import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rpcMethods } from './access-tables';

/** Handlers whose RPC has another name. */
const RPC_OF: Readonly<Record<string, string>> = {
  addProjectMember: 'putProjectMember',
  checkWorkflows: 'checkDefinitions',
  executeWorkflow: 'startExecution',
  getExecutionBinary: 'readBinary',
  getStatus: 'getExecutionCounts',
  listExecutionEvents: 'listEvents',
  listAllBackfills: 'listBackfills',
  listItems: 'readItems',
  listRows: 'queryRows',
  updateRow: 'updateRows',
  deleteRow: 'deleteRows',
  retryExecutions: 'startRetryJob',
  // The gateway answers it for every caller.
  getVersion: 'getCaller',
};

const DOCUMENT = join(__dirname, '..', '..', '..', '..', 'docs/openapi.json');
const { paths }: { paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>> } = JSON.parse(
  readFileSync(DOCUMENT, 'utf8'),
);

const METHODS = rpcMethods();

/** The permission that a service's access table requires for a route. @throws Error if no table names it */
export const permissionOf = (route: string): string => {
  const [method = '', path = ''] = route.split(' ');
  const name = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.operationId ?? '';
  const users = METHODS.find((one) => one.name === (RPC_OF[name] ?? name))?.rule.users;
  if (users === undefined) throw new Error(`No access table names ${name} of ${route}; add it to RPC_OF.`);
  return users;
};
