import { CREDENTIAL_TYPES, kindOf } from '@weft/node-catalogue';
import { RE2JS } from 're2js';
import type { AppDocument, AppKind, AppOperation, AppParameter } from '../app-document.gen';
import { operationsOf } from '../kinds-of';
import type { SourceProblem, Step } from '../source/read-source';
import { attachmentProblems, batchProblems, typedProblems } from './check-batch';
import { codeProblems, scriptProblems } from './check-code';
import { pollProblems } from './check-poll';
import { webhookProblems } from './check-webhook';
import { listProblems } from './check-lists';
import { rowsProblems } from './check-rows';
import { sendProblems } from './check-send';
import { bodyProblems, callProblems, stepNameProblems } from './check-steps';

/** Maximum number of operations of an app. */
export const MAX_OPERATIONS = 200;

/** Problems with the names that an app defines and uses: calls, pages, hosts, credentials, operations and steps. */
export function checkNames(app: AppDocument): SourceProblem[] {
  const used = new Set<string>();
  const kinds = Object.entries(app.kinds).flatMap(([kind, content]) =>
    kindProblems(app, ['kinds', kind], content, used),
  );
  const lists = listProblems(app, used);
  const count = Object.values(app.kinds).reduce((sum, kind) => sum + Object.keys(kind.operations ?? {}).length, 0);
  return [
    ...kinds,
    ...lists,
    ...(count > MAX_OPERATIONS
      ? [{ path: ['kinds'], message: `The app has ${count} operations. At most ${MAX_OPERATIONS} are allowed.` }]
      : []),
    ...unused(app, 'calls', used),
    ...unused(app, 'pages', used),
    ...unused(app, 'scripts', used),
    ...scriptProblems(app),
    ...hostProblems(app),
    ...credentialProblems(app),
  ];
}

function unused(app: AppDocument, part: 'calls' | 'pages' | 'scripts', used: ReadonlySet<string>): SourceProblem[] {
  return Object.keys(app[part] ?? {})
    .filter((name) => !used.has(`${part}.${name}`))
    .map((name) => ({ path: [part, name], message: 'Nothing uses it.' }));
}

function kindProblems(app: AppDocument, path: Step[], kind: AppKind, used: Set<string>): SourceProblem[] {
  const known = operationsOf(kind.parameters);
  const name = String(path.at(-1));
  const own = kindOf(name);
  const versions = [...kind.versions].sort((one, other) => one - other);
  return [
    ...(own === undefined ? [] : [{ path, message: `The kind of the type ${name} is called \`${own}\`.` }]),
    ...(versions.some((version, index) => version !== kind.versions[index] || version === versions[index + 1])
      ? [{ path: [...path, 'versions'], message: 'Versions must ascend.' }]
      : []),
    ...(kind.credentials ?? [])
      .map((one, index) => ({ type: one.type, index }))
      .filter(({ type }) => !Object.hasOwn(app.credentials, type))
      .map(({ type, index }) => ({
        path: [...path, 'credentials', index, 'type'],
        message: `The credential type ${type} is not among the \`credentials\` of the app.`,
      })),
    ...Object.entries(kind.operations ?? {}).flatMap(([key, operation]) => {
      const at = [...path, 'operations', key];
      return [
        ...(known.has(key)
          ? []
          : [{ path: at, message: 'No `resource` and `operation` of the parameters select this operation.' }]),
        ...operationProblems(app, at, operation, used),
        ...rowsProblems(app, at, kind, operation, used),
        ...codeProblems(app, at, operation, used),
        ...batchProblems(at, operation),
        ...attachmentProblems(app, at, operation, used),
        ...typedProblems(at, kind, operation),
        ...sendProblems(at, kind, operation),
      ];
    }),
    ...([kind.operations, kind.webhook, kind.poll].filter((one) => one !== undefined).length === 1
      ? []
      : [{ path, message: 'A kind has either `operations`, a `webhook` or a `poll`.' }]),
    ...(kind.poll === undefined ? [] : pollProblems(app, [...path, 'poll'], kind.poll, used)),
    ...(kind.webhook === undefined ? [] : webhookProblems(app, [...path, 'webhook'], kind, kind.webhook, used)),
    ...parameterProblems([...path, 'parameters'], kind.parameters),
    ...Object.entries(kind.operations ?? {}).flatMap(([key, { send }]) =>
      parameterProblems([...path, 'operations', key, 'send', 'options'], send?.options ?? []),
    ),
  ];
}

function operationProblems(
  app: AppDocument,
  path: Step[],
  operation: AppOperation,
  used: Set<string>,
): SourceProblem[] {
  const { call, steps, rows, code, pages, list } = operation;
  if ((rows ?? code ?? call ?? steps) === undefined)
    return [{ path, message: 'An operation needs `call`, `steps`, `rows` or `code`.' }];
  return [
    ...(call === undefined ? [] : callProblems(app, [...path, 'call'], call, used)),
    ...(pages === undefined ? [] : pageProblems(app, [...path, 'pages'], operation, used)),
    ...(pages !== undefined && list === undefined
      ? [{ path, message: 'An operation with `pages` needs a `list`.' }]
      : []),
    ...bodyProblems(path, operation),
    ...stepNameProblems(app, [...path, 'steps'], steps, used),
  ];
}

/** Problems with the pages of a list. */
export function pageProblems(
  app: AppDocument,
  path: Step[],
  { pages = '' }: Pick<AppOperation, 'pages'>,
  used: Set<string>,
): SourceProblem[] {
  used.add(`pages.${pages}`);
  const found = app.pages?.[pages];
  if (found === undefined) return [{ path, message: `There are no pages ${pages}.` }];
  const needs: Record<typeof found.by, readonly ('next' | 'into')[]> = {
    cursor: ['next', 'into'],
    page: ['into'],
    offset: ['into'],
    nextUrl: ['next'],
    linkHeader: [],
  };
  return needs[found.by]
    .filter((name) => found[name] === undefined)
    .map((name) => ({ path: ['pages', pages], message: `Pages by ${found.by} need \`${name}\`.` }));
}

/** A constant URL must lead to a declared host. Others are checked when they are requested. */
function hostProblems(app: AppDocument): SourceProblem[] {
  return Object.entries(app.calls).flatMap(([name, { url }]) => {
    if (url.startsWith('=')) return [];
    const path = ['calls', name, 'url'];
    if (!URL.canParse(url) || !url.startsWith('https://'))
      return [{ path, message: 'The URL must begin with https://.' }];
    const { hostname, search, hash } = new URL(url);
    if (search !== '' || hash !== '') return [{ path, message: 'The URL must have no query and no fragment.' }];
    return coversHost(app.hosts, hostname)
      ? []
      : [{ path, message: `The host ${hostname} is not among the \`hosts\`.` }];
  });
}

/** True if a host is among hosts, which may begin with `*.`. */
export const coversHost = (hosts: readonly string[], host: string): boolean =>
  hosts.some((pattern) => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern));

function credentialProblems(app: AppDocument): SourceProblem[] {
  const used = new Set(Object.values(app.kinds).flatMap((kind) => (kind.credentials ?? []).map(({ type }) => type)));
  return Object.entries(app.credentials).flatMap(([type, use]): SourceProblem[] => {
    const path = ['credentials', type];
    const known = CREDENTIAL_TYPES.get(type);
    const isUsed = used.has(type) ? [] : [{ path, message: 'No kind uses it.' }];
    if (typeof use === 'object' && 'as' in use) return [...aliasProblems(path, type, use.as), ...isUsed];
    if (known === undefined)
      return [
        {
          path,
          message:
            'Weft has no such credential type; `weft credential types` lists those that it has. ' +
            'A type of a package can stand for one of them: `{ as: httpBearerAuth }`.',
        },
      ];
    const isAccount = known.applied === 'serviceAccount';
    if (isAccount !== (use !== 'catalogue'))
      return [
        { path, message: isAccount ? 'A service account needs `scopes`.' : 'Only service accounts have `scopes`.' },
      ];
    return isUsed;
  });
}

/** Ways of authentication that need no more than the fields of a credential. */
const ALIASED: readonly string[] = ['header', 'query', 'basic', 'digest', 'custom'];

function aliasProblems(path: Step[], type: string, as: string): SourceProblem[] {
  if (CREDENTIAL_TYPES.has(type))
    return [{ path, message: 'The type is of the catalogue, and cannot stand for another one.' }];
  if (ALIASED.includes(CREDENTIAL_TYPES.get(as)?.applied ?? '')) return [];
  const known = [...CREDENTIAL_TYPES.values()].filter(
    ({ applied, hosts }) => ALIASED.includes(applied) && hosts.length === 0,
  );
  return [{ path: [...path, 'as'], message: `It must be a type such as ${known.map(({ name }) => name).join(', ')}.` }];
}

function parameterProblems(path: Step[], parameters: readonly AppParameter[]): SourceProblem[] {
  return parameters.flatMap((one, index) => {
    const at = [...path, index];
    return [
      ...((one.type === 'resourceLocator') === (one.modes !== undefined)
        ? []
        : [{ path: at, message: '`modes` belong to a parameter of type resourceLocator, which needs them.' }]),
      ...(one.modes ?? []).flatMap(({ extract }, mode) =>
        extract === undefined || isPattern(extract)
          ? []
          : [{ path: [...at, 'modes', mode, 'extract'], message: 'It must be a regular expression with one group.' }],
      ),
      ...parameterProblems([...at, 'fields'], one.fields ?? []),
      ...(one.groups ?? []).flatMap((group, place) =>
        parameterProblems([...at, 'groups', place, 'fields'], group.fields),
      ),
    ];
  });
}

function isPattern(text: string): boolean {
  try {
    return RE2JS.compile(text).groupCount() === 1;
  } catch {
    return false;
  }
}
