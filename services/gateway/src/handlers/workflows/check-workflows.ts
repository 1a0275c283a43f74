import {
  type CheckedCredential,
  type CheckedDefinition,
  type CheckedRoute,
  CredentialHow,
} from '@weft/proto/workflows';
import { type FieldError, InternalError } from '@weft/service-kit/errors';
import { isJsonObject, type Json, textField } from '@weft/service-kit/json';
import { quote } from '../../http/json-text';
import { checkMessageSize } from '../../http/message-size';
import { anyObject, list, object, readBody, type Shape } from '../../http/shape';
import { dataAnswer } from '../../middleware/responses/write-answer';
import {
  ANY_OBJECT,
  BOOLEAN,
  component,
  described,
  ID,
  listOf,
  oneOf,
  orNull,
  record,
  TEXT,
} from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';
import { PROJECT_ID } from '../owned';
import { WARNING } from './workflow-json';

const HOW_WORDS: ReadonlyMap<CredentialHow, string> = new Map([
  [CredentialHow.CREDENTIAL_HOW_GIVEN, 'given'],
  [CredentialHow.CREDENTIAL_HOW_ID, 'id'],
  [CredentialHow.CREDENTIAL_HOW_NAME, 'name'],
  [CredentialHow.CREDENTIAL_HOW_AMBIGUOUS, 'ambiguous'],
  [CredentialHow.CREDENTIAL_HOW_NONE, 'none'],
]);

const MAX_GIVEN = 500;

/** Ids of credentials by `<type>/<name>`. */
const GIVEN: Shape<Record<string, string>> = {
  schema: {
    type: 'object',
    additionalProperties: ID,
    description: `Ids of credentials by \`<type>/<name>\`, which take precedence. At most ${MAX_GIVEN}.`,
  },
  read: (value: Json, at: string, errors: FieldError[]) => {
    const entries = isJsonObject(value) ? Object.entries(value) : [];
    const ids = entries.flatMap(([name, id]) => (typeof id === 'string' && id !== '' ? [[name, id] as const] : []));
    if (isJsonObject(value) && ids.length === entries.length && ids.length <= MAX_GIVEN) return Object.fromEntries(ids);
    errors.push({
      field: at,
      message: `must be an object with at most ${MAX_GIVEN} ids of credentials, by "<type>/<name>"`,
    });
    return undefined;
  },
};

/** Body of a check. */
export const CHECK_BODY = object(
  {
    workflows: list(anyObject(), { maxItems: 100, description: 'Definitions, together at most 10 MB.' }),
    projectId: PROJECT_ID,
    credentials: GIVEN,
  },
  { required: ['workflows'] },
);

const CHECKED_CREDENTIAL = component(
  'CheckedCredential',
  record({
    node: TEXT,
    type: TEXT,
    storedType: described('Type of the credentials that can be linked. Nodes of apps may name another one.', TEXT),
    name: TEXT,
    id: orNull(ID),
    how: oneOf(...HOW_WORDS.values()),
  }),
);

const CHECKED_ROUTE = component(
  'CheckedRoute',
  record({
    method: TEXT,
    path: TEXT,
    node: TEXT,
    takenBy: described(
      'The active workflow that has this address; empty if you may not see it, null if the address is free.',
      orNull(TEXT),
    ),
  }),
);

/** Schema of one outcome. */
export const CHECKED_WORKFLOW = component(
  'CheckedWorkflow',
  record({
    name: TEXT,
    definition: described('As it would be stored; null if it cannot be stored.', orNull(ANY_OBJECT)),
    hash: described('Of `definition`, without the ids of nodes; null if it cannot be stored.', orNull(TEXT)),
    runnable: described('True if it could be activated now or, without a trigger, started.', BOOLEAN),
    fields: described('Empty if it is runnable; at most 50.', listOf(WARNING)),
    warnings: described('At most 50.', listOf(WARNING)),
    credentials: listOf(CHECKED_CREDENTIAL),
    routes: listOf(CHECKED_ROUTE),
  }),
);

const listText = <Item>(items: readonly Item[], textOf: (item: Item) => string): string =>
  `[${items.map(textOf).join(',')}]`;

const fieldText = ({ field, message }: FieldError): string => `{"field":${quote(field)},"message":${quote(message)}}`;

const credentialText = ({ node, type, storedType, name, id, how }: CheckedCredential): string =>
  `{"node":${quote(node)},"type":${quote(type)},"storedType":${quote(storedType || type)},"name":${quote(name)},` +
  `"id":${id === undefined ? 'null' : quote(id)},"how":${quote(HOW_WORDS.get(how) ?? 'none')}}`;

const routeText = ({ method, path, node, takenBy }: CheckedRoute): string =>
  `{"method":${quote(method)},"path":${quote(path)},"node":${quote(node)},` +
  `"takenBy":${takenBy === undefined ? 'null' : quote(takenBy)}}`;

/** @param sent the definition, for the name of one that cannot be stored */
const checkedText = (checked: CheckedDefinition, sent: Json | undefined): string => {
  const { name, definition, hash, runnable, errors, warnings, credentials, routes } = checked;
  return (
    `{"name":${quote(name === '' ? (textField(sent, 'name') ?? '') : name)},` +
    `"definition":${definition.length === 0 ? 'null' : definition.toString('utf8')},` +
    `"hash":${hash === '' ? 'null' : quote(hash)},"runnable":${runnable},"fields":${listText(errors, fieldText)},` +
    `"warnings":${listText(warnings, fieldText)},"credentials":${listText(credentials, credentialText)},` +
    `"routes":${listText(routes, routeText)}}`
  );
};

/**
 * POST /workflows/check, an addition: checks definitions as POST, PUT and activate do, and stores nothing. A definition
 * with the `id` of a workflow that the caller may change is checked as its replacement.
 */
export const checkWorkflows: ApiHandler = async ({ body, principal }, { workflows }) => {
  const { workflows: sent = [], projectId, credentials = {} } = readBody(CHECK_BODY, body);
  const definitions = sent.map((definition) => Buffer.from(JSON.stringify(definition)));
  checkMessageSize(definitions.reduce((sum, { length }) => sum + length, 0));
  const { checked } = await workflows.calls.checkDefinitions(
    { definitions, credentials, ...(projectId === undefined ? {} : { projectId }) },
    { principal },
  );
  if (checked.length !== definitions.length)
    throw new InternalError(new Error('The workflows service answered for another number of definitions.'));
  return dataAnswer(`[${checked.map((one, index) => checkedText(one, sent[index])).join(',')}]`);
};
