/*
 * Generates the table of nouns and verbs from docs/openapi.json: which operation a command calls, and its parameters
 * and fields, which become arguments and options.
 *   node packages/cli/bin/generate.mjs [FILE]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';

const ROOT = join(import.meta.dirname, '../../..');
const NOUNS = {
  credential: {
    list: 'listCredentials',
    get: 'getCredential',
    create: 'createCredential',
    update: 'updateCredential',
    delete: 'deleteCredential',
    test: 'testCredential',
    transfer: 'transferCredential',
    grants: 'listCredentialGrants',
    grant: 'grantCredential',
    revoke: 'revokeCredential',
    types: 'listCredentialTypes',
    type: 'getCredentialType',
  },
  variable: {
    list: 'listVariables',
    get: 'getVariable',
    create: 'createVariable',
    update: 'replaceVariable',
    delete: 'deleteVariable',
    transfer: 'transferVariable',
  },
  table: {
    list: 'listDataTables',
    get: 'getDataTable',
    create: 'createDataTable',
    update: 'renameDataTable',
    delete: 'deleteDataTable',
    transfer: 'transferDataTable',
    rows: 'listRows',
    query: 'queryRows',
    insert: 'insertRows',
    'update-rows': 'updateRows',
    upsert: 'upsertRow',
    'delete-rows': 'deleteRows',
    'update-row': 'updateRow',
    'delete-row': 'deleteRow',
  },
  conversation: {
    list: 'listConversations',
    get: 'getConversation',
    delete: 'deleteConversation',
    'delete-all': 'deleteConversations',
  },
  project: {
    list: 'listProjects',
    get: 'getProject',
    create: 'createProject',
    update: 'renameProject',
    delete: 'deleteProject',
    members: 'listProjectMembers',
    'add-member': 'addProjectMember',
    'set-member': 'putProjectMember',
    'remove-member': 'removeProjectMember',
    'granted-credentials': 'listGrantedCredentials',
  },
  user: {
    list: 'listUsers',
    get: 'getUser',
    create: 'createUser',
    update: 'changeUserRole',
    delete: 'deleteUser',
    lock: 'lockUser',
    unlock: 'unlockUser',
    'sign-out': 'signOutUser',
    'reset-password': 'resetPassword',
    keys: 'listUserApiKeys',
    'delete-key': 'deleteUserApiKey',
    invitations: 'listInvitations',
    invite: 'createInvitation',
    'withdraw-invitation': 'deleteInvitation',
  },
  key: { list: 'listApiKeys', create: 'createApiKey', delete: 'deleteApiKey' },
  schedule: {
    preview: 'previewSchedule',
    backfill: 'startBackfill',
    backfills: 'listBackfills',
    'cancel-backfill': 'cancelBackfill',
  },
  delivery: { list: 'listDeliveries', get: 'getDelivery', redeliver: 'redeliver', delete: 'deleteDelivery' },
  subscription: {
    list: 'listEventSubscriptions',
    get: 'getEventSubscription',
    create: 'createEventSubscription',
    update: 'replaceEventSubscription',
    delete: 'deleteEventSubscription',
    test: 'testEventSubscription',
    notifications: 'listNotifications',
    resend: 'resendNotification',
  },
  audit: { list: 'listAudit' },
};

const [target = join(ROOT, 'packages/cli/src/commands/nouns.gen.ts')] = process.argv.slice(2);
const { paths, components } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'));

const resolve = (schema) =>
  schema.$ref === undefined ? schema : resolve(components[schema.$ref.split('/')[2]][schema.$ref.split('/')[3]]);
const typeOf = ({ type, enum: values }) => {
  const [one] = Array.isArray(type) ? type.filter((name) => name !== 'null') : [type];
  if (one === undefined) return values === undefined ? 'json' : 'string';
  return one === 'object' || one === 'array' ? 'json' : one === 'integer' ? 'number' : one;
};
const fieldOf = (name, schema, isRequired, description = '') => ({
  name,
  type: typeOf(schema),
  ...(isRequired ? { required: true } : {}),
  ...(schema.enum === undefined ? {} : { choices: schema.enum.filter((one) => one !== null) }),
  description: description.replace(/\.$/, ''),
});
const operations = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [operation.operationId, { path, method, operation }]),
  ),
);

const bodyOf = ({ requestBody }) => {
  const schema = requestBody?.content?.['application/json']?.schema;
  if (schema === undefined) return undefined;
  const { properties = {}, required = [] } = resolve(schema);
  return Object.entries(properties)
    .map(([name, property]) => [name, property, resolve(property)])
    .filter(([, property]) => !property.description?.startsWith('Ignored'))
    .map(([name, property, resolved]) => fieldOf(name, resolved, required.includes(name), property.description));
};
const isPage = ({ parameters = [] }) => parameters.some(({ name }) => name === 'cursor');

const verbs = Object.entries(NOUNS).flatMap(([noun, table]) =>
  Object.entries(table).flatMap(([verb, operationId]) => {
    const found = operations.get(operationId);
    if (found === undefined) throw new Error(`docs/openapi.json has no operation ${operationId}.`);
    const { path, method, operation } = found;
    const given = (operation.parameters ?? []).map(resolve);
    const named = (place) =>
      given
        .filter((one) => one.in === place && !(isPage(operation) && ['limit', 'cursor'].includes(one.name)))
        .map((one) => fieldOf(one.name, one.schema, one.required === true, one.description));
    const body = bodyOf(operation);
    return [
      {
        path: `${noun} ${verb}`,
        summary: operation.summary,
        method: method.toUpperCase(),
        address: path,
        ...(isPage(operation) ? { pages: true } : {}),
        params: named('path'),
        query: named('query'),
        ...(body === undefined ? {} : { body }),
      },
    ];
  }),
);

writeFileSync(
  target,
  await format(
    `// Generated by packages/cli/bin/generate.mjs.
import type { VerbSpec } from './noun-commands';

/** Verbs of nouns, with the operations that they call. */
export const VERBS: readonly VerbSpec[] = ${JSON.stringify(verbs)};
`,
    { parser: 'typescript', singleQuote: true, printWidth: 120 },
  ),
);
