import type { AppDocument, AppHookCall, AppHookCheck } from '@weft/app-model';
import {
  compiled,
  letOf,
  optionally,
  type PreparedLet,
  type PreparedRequest,
  type PreparedStep,
  requestOf,
  stepsOf,
} from '../prepare-request';
import type { Template } from '../template';

/** A request about a webhook to its service. */
export type HookAction = 'register' | 'check' | 'remove';

/** Such a request, ready to be made. */
export interface PreparedHook {
  readonly let: PreparedLet;
  readonly request: PreparedRequest | undefined;
  readonly steps: readonly PreparedStep[];
  readonly keep: Template | undefined;
  readonly valid: Template | undefined;
}

/** Prepares a request about the webhook of a kind; undefined if its service needs none. */
export function prepareHook(app: AppDocument, kind: string, action: HookAction): PreparedHook | undefined {
  const hook: (AppHookCall & Partial<Pick<AppHookCheck, 'valid'>>) | undefined = app.kinds[kind]?.webhook?.[action];
  if (hook === undefined) return undefined;
  const at = `${app.name}: kinds.${kind}`;
  const path = `${at}.webhook.${action}`;
  const optional = optionally(compiled);
  return {
    let: [...letOf(app.kinds[kind]?.let, `${at}.let`), ...letOf(hook.let, `${path}.let`)],
    request: hook.call === undefined ? undefined : requestOf(app, hook.call, hook, path, compiled),
    steps: stepsOf(app, hook.steps, path, compiled),
    keep: optional(hook.keep, `${path}.keep`),
    valid: optional(hook.valid, `${path}.valid`),
  };
}
