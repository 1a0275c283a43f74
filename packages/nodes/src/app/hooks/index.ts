import { APPS, readApp } from '@weft/apps';
import { describeKind } from '../../descriptors/kinds';
import { callHook, type HookPorts, type HookRequest, type HookResult } from './call-hook';

export { HOOK_MS, type HookPorts, type HookRequest, type HookResult, MAX_KEPT_BYTES } from './call-hook';
export type { HookAction } from './prepare-hook';

/** Makes a request about the webhook of a kind of an app; undefined for a kind that has none. */
export async function callNodeHook(
  kind: string,
  request: HookRequest,
  ports: HookPorts,
  signal: AbortSignal,
): Promise<HookResult | undefined> {
  const entry = APPS.find(({ kinds }) => kinds.includes(kind));
  const descriptor = describeKind(kind);
  if (entry === undefined || descriptor === undefined) return undefined;
  const app = readApp(entry.name);
  return app.kinds[kind]?.webhook === undefined ? undefined : callHook({ app, descriptor }, request, ports, signal);
}
