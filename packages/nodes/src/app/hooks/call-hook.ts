import type { Json } from '@weft/node-catalogue';
import { NodeFailure, SecretMask } from '@weft/engine';
import { OutboundError } from '@weft/outbound';
import { RequestFailed } from '../../shared/http/request-failed';
import { maskedLine } from '../../shared/masked-line';
import type { LoadedApp } from '../app-run';
import { buildCall } from '../build-call';
import { type OutsideNode, type OutsidePorts, targetOutsideOfRuns } from '../outside-of-runs';
import { runSteps } from '../steps/run-steps';
import { type CallTarget, LongDelay, sendCall } from '../send-call';
import type { TemplateScope } from '../template-scope';
import { type HookAction, type PreparedHook, prepareHook } from './prepare-hook';

/** Time limit of one request about a webhook in milliseconds. */
export const HOOK_MS = 10_000;
/** Maximum size of all responses of the service in bytes. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** Maximum size of what a registration keeps, as JSON. */
export const MAX_KEPT_BYTES = 4_096;
const MAX_MESSAGE = 500;

/** A request about the webhook of a trigger. */
export interface HookRequest extends OutsideNode {
  readonly action: HookAction;
  readonly version: number;
  /** The address that the service calls. */
  readonly url: string;
  readonly secret: string;
  /** JSON that the last registration kept; null for nothing. */
  readonly kept: Json;
}

/** The answer of the service, or the reason why it did not answer: a sentence without secrets. */
export type HookResult =
  | {
      readonly kind: 'done';
      /** True unless a check found that the service does not call the address. */
      readonly isValid: boolean;
      /** For later requests; undefined for nothing. */
      readonly kept: Json | undefined;
    }
  | {
      readonly kind: 'refused';
      readonly message: string;
      /** True: the request has certainly had no effect. */
      readonly isCertain: boolean;
    };

/**
 * Registers, checks or removes the webhook of a trigger with its service. A service that needs no request agrees.
 * @param ms time limit; for tests
 */
export async function callHook(
  loaded: LoadedApp,
  request: HookRequest,
  ports: OutsidePorts,
  signal: AbortSignal,
  ms = HOOK_MS,
): Promise<HookResult> {
  const { app, descriptor } = loaded;
  const hook = prepareHook(app, descriptor.kind, request.action);
  if (hook === undefined) return { kind: 'done', isValid: true, kept: request.kept ?? undefined };
  const mask = new SecretMask();
  mask.add(request.secret);
  if (request.credential !== undefined) mask.learn(request.credential.type, request.credential.data);
  const limit = AbortSignal.timeout(ms);
  try {
    const { url, secret, kept } = request;
    const target = targetOutsideOfRuns(loaded, request, ports, {
      mask,
      signal: AbortSignal.any([limit, signal]),
      maxResponseBytes: MAX_RESPONSE_BYTES,
      roots: { $hook: { url, secret, kept } },
    });
    return await send(hook, target);
  } catch (thrown) {
    if (limit.aborted)
      return { kind: 'refused', message: `${app.label} did not answer within ${ms / 1_000} s.`, isCertain: false };
    const failure = thrown instanceof LongDelay ? thrown.failure : thrown;
    if (!(failure instanceof NodeFailure) && !(failure instanceof OutboundError)) throw thrown;
    return {
      kind: 'refused',
      message: maskedLine(mask, sentenceOf(failure), MAX_MESSAGE),
      isCertain: hook.steps.length === 0 && isAnswered(failure),
    };
  }
}

/** The message of a failure with what the service said. */
function sentenceOf(failure: NodeFailure | OutboundError): string {
  const said = failure instanceof NodeFailure ? failure.description : undefined;
  return said === undefined || said === failure.message ? failure.message : `${failure.message}: ${said}`;
}

/** True if the service has refused the request, and did not just fail. */
function isAnswered(failure: Error): boolean {
  if (!(failure instanceof RequestFailed) || failure.cause !== undefined) return false;
  const status = failure.itemError['status'];
  return typeof status === 'number' && status < 500;
}

async function send(hook: PreparedHook, first: CallTarget): Promise<HookResult> {
  const target = { ...first, scope: first.scope.withLet(hook.let) };
  const after = await answered(hook, target);
  const isValid = hook.valid?.holds(after) ?? true;
  const kept = hook.keep?.json(after);
  if (kept !== undefined && Buffer.byteLength(JSON.stringify(kept)) > MAX_KEPT_BYTES)
    throw new NodeFailure(`The service answered with an id of more than ${MAX_KEPT_BYTES} bytes.`);
  return { kind: 'done', isValid, kept };
}

/** The scope after the request, or after the last step. */
async function answered({ request, steps }: PreparedHook, target: CallTarget): Promise<TemplateScope> {
  if (request !== undefined) {
    const { root } = await sendCall(request, buildCall(request, target), target);
    return target.scope.with({ $response: root });
  }
  return (await runSteps(steps, target)).scope;
}
