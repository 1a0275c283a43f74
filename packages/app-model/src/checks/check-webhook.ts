import { CREDENTIAL_TYPES } from '@weft/node-catalogue';
import type { AppDocument, AppHookCall, AppKind, AppWebhook } from '../app-document.gen';
import type { SourceProblem, Step } from '../source/read-source';
import { bodyProblems, callProblems, plainStepProblems, stepNameProblems } from './check-steps';
import { letProblems, pathProblems, problemsIn, REQUEST_FIELDS, type Secrets, stepsProblems } from './check-templates';

/** The requests of a webhook to its service. */
const HOOK_CALLS = ['register', 'check', 'remove'] as const;

/** Problems with the names that a webhook uses: calls, steps and the field with the key of signatures. */
export function webhookProblems(
  app: AppDocument,
  path: Step[],
  kind: AppKind,
  webhook: AppWebhook,
  used: Set<string>,
): SourceProblem[] {
  const { register, check, remove, steps } = webhook;
  const needless = [check, remove].some((one) => one !== undefined) && register === undefined;
  return [
    ...HOOK_CALLS.flatMap((name) => {
      const call = webhook[name];
      return call === undefined ? [] : hookCallProblems(app, [...path, name], call, used);
    }),
    ...stepNameProblems(app, [...path, 'steps'], steps, used),
    ...(needless ? [{ path, message: '`check` and `remove` need `register`.' }] : []),
    ...((register === undefined) === (remove === undefined)
      ? []
      : [{ path, message: 'What `register` adds must be removed: `remove` is missing.' }]),
    ...verifyProblems([...path, 'verify'], kind, webhook),
  ];
}

function hookCallProblems(app: AppDocument, path: Step[], one: AppHookCall, used: Set<string>): SourceProblem[] {
  const { call, steps } = one;
  if ((call === undefined) === (steps === undefined)) return [{ path, message: 'It needs either `call` or `steps`.' }];
  return [
    ...(call === undefined ? [] : callProblems(app, [...path, 'call'], call, used)),
    ...bodyProblems(path, one),
    ...stepNameProblems(app, [...path, 'steps'], steps, used),
    ...plainStepProblems([...path, 'steps'], steps),
  ];
}

function verifyProblems(
  path: Step[],
  { credentials = [] }: AppKind,
  { exclusive, verify }: AppWebhook,
): SourceProblem[] {
  const types = credentials.map(({ type }) => type);
  if (types.length === 0 && exclusive !== undefined)
    return [{ path: path.slice(0, -1), message: 'A webhook that is exclusive needs a credential type.' }];
  if (!('key' in verify)) return [];
  const hasKey = (type: string): boolean =>
    CREDENTIAL_TYPES.get(type)?.fields.some(({ name }) => name === verify.key) === true;
  return types.length > 0 && types.every(hasKey)
    ? []
    : [{ path: [...path, 'key'], message: 'The credential has no such field.' }];
}

/** Problems of the expressions of a webhook. @param outer names that its kind knows */
export function webhookTemplateProblems(
  webhook: AppWebhook,
  path: Step[],
  outer: readonly string[],
  secrets: Secrets,
): SourceProblem[] {
  const own = letProblems(webhook.let, [...path, 'let'], [...outer, '$request'], secrets);
  const { problems, names } = stepsProblems(webhook.steps ?? [], [...path, 'steps'], own.roots, secrets);
  return [
    ...HOOK_CALLS.flatMap((name) => {
      const call = webhook[name];
      return call === undefined ? [] : hookTemplateProblems(call, [...path, name], [...outer, '$hook'], secrets);
    }),
    ...own.problems,
    ...problemsIn(webhook.accept, [...path, 'accept'], own.roots, secrets),
    ...problems,
    ...problemsIn(webhook.items, [...path, 'items'], [...own.roots, '$steps'], secrets, names),
  ];
}

function hookTemplateProblems(
  call: AppHookCall & { readonly valid?: string },
  path: Step[],
  outer: readonly string[],
  secrets: Secrets,
): SourceProblem[] {
  const own = letProblems(call.let, [...path, 'let'], outer, secrets);
  const { problems, names } = stepsProblems(call.steps ?? [], [...path, 'steps'], own.roots, secrets);
  const after = call.steps === undefined ? '$response' : '$steps';
  return [
    ...own.problems,
    ...problems,
    ...REQUEST_FIELDS.flatMap((key) =>
      key === 'multipart' ? [] : problemsIn(call[key], [...path, key], own.roots, secrets),
    ),
    ...pathProblems(call.path, [...path, 'path']),
    ...(['keep', 'valid'] as const).flatMap((key) =>
      problemsIn(call[key], [...path, key], [...own.roots, after], secrets, names),
    ),
  ];
}
