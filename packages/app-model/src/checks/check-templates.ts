import { compileParameter, freeNames, TEMPLATE_FUNCTIONS } from '@weft/expressions';
import { CREDENTIAL_TYPES } from '@weft/node-catalogue';
import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json-values';
import type { AppDocument, AppKind, AppOperation, AppStep } from '../app-document.gen';
import { storedTypeOf } from '../kinds-of';
import type { SourceProblem, Step } from '../source/read-source';
import { listTemplateProblems, rowsTemplateProblems } from './check-block-templates';
import { pollTemplateProblems } from './check-poll';
import { webhookTemplateProblems } from './check-webhook';

/** Names that every template of an operation sees. */
const ROOTS = ['$p', '$rl', '$json', '$version', '$timezone', '$credential', '$files', '$fn'];
/** Fields of a request, in which the response is not known yet. */
export const REQUEST_FIELDS = ['path', 'query', 'headers', 'body', 'multipart'] as const;

/** Problems of the expressions of an app: syntax, unknown names, secret fields of credentials. */
export function checkTemplates(app: AppDocument): SourceProblem[] {
  const secrets = new Secrets(app);
  // Any operation or list with steps may make a call.
  const lists = Object.entries(app.lists ?? {});
  const steps = [
    ...Object.values(app.kinds).flatMap(({ operations = {}, webhook, poll }) => [
      ...Object.values(operations),
      ...(poll === undefined ? [] : [poll, { steps: poll.each }]),
      ...[webhook, webhook?.register, webhook?.check, webhook?.remove].filter((one) => one !== undefined),
    ]),
    ...lists.map(([, list]) => list),
  ].flatMap((one) => (one.steps ?? []).map((step) => step.as));
  const calls = Object.entries(app.calls).flatMap(([name, call]) => {
    const at = ['calls', name];
    const check = (key: 'url' | 'query' | 'headers' | 'failed' | 'errors', roots: readonly string[]): SourceProblem[] =>
      problemsIn(call[key], [...at, key], [...ROOTS, ...roots], secrets, steps);
    return [
      ...(['url', 'query', 'headers'] as const).flatMap((key) => check(key, ['$steps', '$attachment'])),
      ...(['failed', 'errors'] as const).flatMap((key) => check(key, ['$response'])),
    ];
  });
  const kinds = Object.entries(app.kinds).flatMap(([name, kind]) => kindProblems(['kinds', name], kind, secrets));
  const pages = Object.entries(app.pages ?? {}).flatMap(([name, { next }]) =>
    problemsIn(next, ['pages', name, 'next'], [...ROOTS, '$response'], secrets),
  );
  return [
    ...calls,
    ...pages,
    ...kinds,
    ...lists.flatMap(([name, list]) => listTemplateProblems(list, ['lists', name], ROOTS, secrets)),
  ];
}

function kindProblems(path: Step[], kind: AppKind, secrets: Secrets): SourceProblem[] {
  const shared = letProblems(kind.let, [...path, 'let'], ROOTS, secrets);
  const operations = Object.entries(kind.operations ?? {}).flatMap(([key, operation]) =>
    operationProblems([...path, 'operations', key], operation, shared.roots, secrets),
  );
  const { webhook, poll } = kind;
  return [
    ...shared.problems,
    ...operations,
    ...(webhook === undefined ? [] : webhookTemplateProblems(webhook, [...path, 'webhook'], shared.roots, secrets)),
    ...(poll === undefined ? [] : pollTemplateProblems(poll, [...path, 'poll'], shared.roots, secrets)),
  ];
}

function operationProblems(
  path: Step[],
  operation: AppOperation,
  outer: readonly string[],
  secrets: Secrets,
): SourceProblem[] {
  const known = operation.send === undefined ? outer : [...outer, '$send'];
  const own = letProblems(operation.let, [...path, 'let'], known, secrets);
  const { problems: steps, names: earlier } = stepsProblems(
    operation.steps ?? [],
    [...path, 'steps'],
    own.roots,
    secrets,
  );
  const { rows, batch, attachments } = operation;
  const hasSteps = operation.steps !== undefined;
  const seen = [...own.roots, ...(hasSteps ? ['$steps'] : [])];
  const sent = [...seen, ...(batch === undefined ? [] : ['$batch', '$inputs'])];
  const after = [...sent, ...(operation.call === undefined ? [] : ['$response'])];
  return [
    ...own.problems,
    ...(['refuse', 'typed', 'firstOnly'] as const).flatMap((key) =>
      problemsIn(operation[key], [...path, key], key === 'typed' ? outer : own.roots, secrets),
    ),
    ...REQUEST_FIELDS.flatMap((key) => problemsIn(operation[key], [...path, key], sent, secrets, earlier)),
    ...pathProblems(operation.path, [...path, 'path']),
    ...steps,
    ...(['file', 'list', 'item'] as const).flatMap((key) =>
      problemsIn(operation[key], [...path, key], after, secrets, earlier),
    ),
    ...problemsIn(operation.code?.values, [...path, 'code', 'values'], seen, secrets, earlier),
    ...problemsIn(batch, [...path, 'batch'], seen, secrets, earlier),
    ...problemsIn(attachments?.of, [...path, 'attachments', 'of'], [...seen, '$output'], secrets, earlier),
    ...(rows === undefined
      ? []
      : rowsTemplateProblems(rows, [...path, 'rows'], [...own.roots, '$steps'], earlier, secrets)),
  ];
}

/** Problems of steps, each of which sees those before it, and their names. */
export function stepsProblems(
  steps: readonly AppStep[],
  path: Step[],
  outer: readonly string[],
  secrets: Secrets,
): { readonly problems: SourceProblem[]; readonly names: readonly string[] } {
  const names: string[] = [];
  const problems = steps.flatMap((step, index) => {
    const found = stepProblems(step, [...path, index], outer, names, secrets);
    names.push(step.as);
    return found;
  });
  return { problems, names };
}

function stepProblems(
  step: AppStep,
  path: Step[],
  outer: readonly string[],
  earlier: readonly string[],
  secrets: Secrets,
): SourceProblem[] {
  const outside = [...outer, '$steps'];
  const roots = [...outside, ...(step.forEach === undefined ? [] : ['$entry'])];
  return [
    ...(['when', 'forEach'] as const).flatMap((key) =>
      problemsIn(step[key], [...path, key], outside, secrets, earlier),
    ),
    ...REQUEST_FIELDS.flatMap((key) => problemsIn(step[key], [...path, key], roots, secrets, earlier)),
    ...pathProblems(step.path, [...path, 'path']),
    ...(['list', 'file', 'mail'] as const).flatMap((key) =>
      problemsIn(step[key], [...path, key], [...roots, '$response'], secrets, earlier),
    ),
  ];
}

/** A path must be an expression or begin with a slash. */
export function pathProblems(text: string | undefined, path: Step[]): SourceProblem[] {
  return text === undefined || /^=|^\//.test(text) ? [] : [{ path, message: 'A path must begin with a slash.' }];
}

/** Problems of values, each of which sees those before it, and the names that templates below them see. */
export function letProblems(
  values: JsonObject | undefined,
  path: Step[],
  outer: readonly string[],
  secrets: Secrets,
  steps: readonly string[] = [],
): { readonly problems: SourceProblem[]; readonly roots: readonly string[] } {
  const roots = [...outer];
  const problems: SourceProblem[] = [];
  for (const [name, value] of Object.entries(values ?? {})) {
    problems.push(...problemsIn(value, [...path, name], roots, secrets, steps));
    const [used] = /\$fn\.(?:file|mime)\b/.exec(JSON.stringify(value)) ?? [];
    if (used !== undefined)
      problems.push({ path: [...path, name], message: `\`${used}\` can only be used in a body.` });
    roots.push(name);
  }
  return { problems, roots };
}

/** Problems of all strings within a value that begin with `=`. */
export function problemsIn(
  value: unknown,
  path: Step[],
  roots: readonly string[],
  secrets: Secrets,
  steps: readonly string[] = [],
): SourceProblem[] {
  if (typeof value === 'string') return value.startsWith('=') ? textProblems(value, path, roots, secrets, steps) : [];
  if (Array.isArray(value))
    return value.flatMap((entry: Json, index) => problemsIn(entry, [...path, index], roots, secrets, steps));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) => problemsIn(entry, [...path, key], roots, secrets, steps));
}

function textProblems(
  text: string,
  path: Step[],
  roots: readonly string[],
  secrets: Secrets,
  steps: readonly string[],
): SourceProblem[] {
  const [error] = compileParameter(text).errors;
  if (error !== undefined) return [{ path, message: `The expression is invalid: ${error.message}` }];
  return [
    ...freeNames(text)
      .filter((name) => !roots.includes(name))
      .map((name) => ({ path, message: `The expression reads \`${name}\`, which is not known here.` })),
    ...namesAfter('$fn', text)
      .filter((name) => !TEMPLATE_FUNCTIONS.includes(name))
      .map((name) => ({ path, message: `There is no function \`$fn.${name}\`.` })),
    ...namesAfter('$steps', text)
      .filter((name) => !steps.includes(name))
      .map((name) => ({ path, message: `No earlier step is called ${name === '' ? 'so' : `\`${name}\``}.` })),
    ...namesAfter('$credential', text)
      .filter((name) => !secrets.isPublic(name))
      .map((name) => ({
        path,
        message:
          name === '' ? 'Read a field of `$credential` by its name.' : `The field \`${name}\` is secret or unknown.`,
      })),
  ];
}

/** The names of the fields that are read of a root; empty for a use of the root that names no field. */
function namesAfter(root: string, text: string): string[] {
  return text
    .split(root)
    .slice(1)
    .map((rest) => /^(?:\?\.|\.)([A-Za-z_]\w*)/.exec(rest)?.[1] ?? '');
}

/** The fields of the app's credentials that templates may read. */
export class Secrets {
  readonly #public: ReadonlySet<string>;

  constructor(app: AppDocument) {
    const types = Object.keys(app.credentials).flatMap((type) => CREDENTIAL_TYPES.get(storedTypeOf(app, type)) ?? []);
    this.#public = new Set(
      types.flatMap(({ fields }) =>
        fields.filter(({ secret, isLogin }) => !secret && isLogin !== true).map(({ name }) => name),
      ),
    );
  }

  isPublic(name: string): boolean {
    return this.#public.has(name);
  }
}
