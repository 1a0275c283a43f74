import type { Stack } from '@weft/local-stack';
import { makeOwnedThings } from './canaries/owned-things';
import { restClient, textOf, type Rest, type RestAnswer } from './rest';
import { requestTo } from './rest-routes';
import { CREDENTIAL, PROJECT, ROWS, USER } from './rights-table';
import { makeUser } from './users';

const partOf = (route: string): string => route.split('/')[1] ?? '';

/** Sends a request of a route about data whose ids are given by the first part of the path. */
export const sendAbout = (
  as: Rest,
  route: string,
  about: Readonly<Record<string, string>>,
  body = ROWS[route]?.body,
): Promise<RestAnswer> => {
  const id = about[partOf(route)] ?? '';
  const named = about[route.includes('/versions/') ? 'version' : 'ref'] ?? '';
  const ref = route.includes('/node-runs/') ? '0' : route.includes('/rows/:rowId') ? '1' : named;
  const [method, address] = requestTo(route, { id, ref, workflowId: about['workflows'] ?? '' });
  return as(method, address, body);
};

/**
 * Callers with each role, data of the owner, and an empty closed project.
 * @param name part of all names that are unique on a stack
 */
export const makeRightsScene = async (stack: Stack, name: string) => {
  /** Ids of data of the owner, by the first part of the path. */
  const ids: Record<string, string> = { 'node-types': 'noOp', 'credential-types': 'httpHeaderAuth', apps: 'none' };
  const send = (as: Rest, route: string, body = ROWS[route]?.body, id?: string): Promise<RestAnswer> =>
    sendAbout(as, route, { ...ids, ...(id === undefined ? {} : { [partOf(route)]: id }) }, body);
  const clientOf = (key: string): Rest => restClient(stack.baseUrls[0] ?? '', key);
  const owner = clientOf(stack.apiKey);
  // Wrong keys of one address are limited: see strangers.long.test.ts.
  const stranger = restClient(stack.baseUrls[0] ?? '', undefined);
  const viewer = clientOf(await makeUser(stack, `${name}-viewer`, 'viewer'));
  const editor = clientOf(await makeUser(stack, `${name}-editor`, 'editor'));
  const otherEditor = clientOf(await makeUser(stack, `${name}-other`, 'editor'));
  Object.assign(ids, await makeOwnedThings(stack, owner, { name: `${name}-owner` }));
  const made = async (route: string, body: unknown): Promise<string> => textOf(await send(owner, route, body), 'id');
  ids['users'] = await made('POST /users', { ...USER, email: `${name}-user@users.invalid` });
  ids['projects'] = await made('POST /projects', PROJECT);
  ids['invitations'] = await made('POST /invitations', { email: `${name}-open@users.invalid`, role: 'viewer' });
  ids['credentials'] = await made('POST /credentials', CREDENTIAL);
  const closedProject = await made('POST /projects', { name: `${name} closed`, closed: true });
  return { clientOf, closedProject, owner, viewer, editor, otherEditor, stranger, ids, send };
};

/** The callers and data of a story about rights. */
export type RightsScene = Awaited<ReturnType<typeof makeRightsScene>>;
