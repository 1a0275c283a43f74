/** What `:id` identifies, by the first segment of the path. */
const RESOURCES: Readonly<Record<string, string>> = {
  workflows: 'Id of the workflow.',
  executions: 'Id of the execution.',
  'retry-jobs': 'Id of the retry job.',
  'event-subscriptions': 'Id of the event subscription.',
  backfills: 'Id of the backfill.',
  deliveries: 'Id of the delivery.',
  'node-types': 'Kind of the node, such as `set`.',
  apps: 'Name of the app, such as `erp`.',
  credentials: 'Id of the credential.',
  'credential-types': 'Name of the type, such as `httpHeaderAuth`.',
  variables: 'Id of the variable.',
  'data-tables': 'Id of the data table.',
  projects: 'Id of the project.',
  users: 'Id of the user.',
  keys: 'Id of the key.',
  invitations: 'Id of the invitation.',
};

/** The other parameters, by name. */
const PARTS: Readonly<Record<string, string>> = {
  versionId: 'Id of the version.',
  conversationId: 'Id of the conversation.',
  rowId: 'Id of the row.',
  executionId: 'Id of the execution.',
  fileId: 'The `id` that an item of the run data holds under `binary`.',
  run: 'The `run` that an entry of `approvals`, or `reply`, of the execution has.',
  executionIndex: 'Position of the node run in the order of all node runs, from 0.',
  grantedTo: 'Id of a project, a user or a workflow.',
  userId: 'Id of the user.',
  keyId: 'Id of the key.',
};

/** Values in example addresses, by the keys of both tables, where they are not ids. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'node-types': 'set',
  apps: 'erp',
  'credential-types': 'httpHeaderAuth',
  fileId: '3f2a9c',
  run: '3',
  executionIndex: '0',
};

const resourceOf = (path: string): string => path.split('/')[1] ?? '';

/** Value of a path parameter in example addresses; undefined: any id. */
export const examplePathParameter = (path: string, name: string): string | undefined =>
  EXAMPLES[name === 'id' ? resourceOf(path) : name];

/** Description of a path parameter. @throws Error if it has none: add it above */
export const describePathParameter = (path: string, name: string): string => {
  const found = name === 'id' ? RESOURCES[resourceOf(path)] : PARTS[name];
  if (found === undefined) throw new Error(`The parameter ${name} of ${path} has no description.`);
  return found;
};
