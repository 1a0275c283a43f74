import { appOfBuild, type OutsidePorts } from '../outside-of-runs';
import { callHook, type HookRequest, type HookResult } from './call-hook';

export { HOOK_MS, type HookRequest, type HookResult, MAX_KEPT_BYTES } from './call-hook';
export type { HookAction } from './prepare-hook';

/** Makes a request about the webhook of a kind of an app; undefined for a kind that has none. */
export async function callNodeHook(
  kind: string,
  request: HookRequest,
  ports: OutsidePorts,
  signal: AbortSignal,
): Promise<HookResult | undefined> {
  const loaded = appOfBuild(kind);
  return loaded?.app.kinds[kind]?.webhook === undefined ? undefined : callHook(loaded, request, ports, signal);
}
