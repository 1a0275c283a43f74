import type { Json, JsonObject } from '@weft/node-catalogue';
import type { OutboundHttp } from '@weft/outbound';
import { callNodeHook, type HookAction } from '../hooks';

/** Address of the hooks of tests. */
export const URL_OF_HOOK = 'https://weft.example/webhook/h/webhook';

/** A request to the service of a hook. */
export interface SentByHook {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** Answers the requests that a hook sends to its service. */
export type HookAnswer = (sent: SentByHook) => { readonly status?: number; readonly body: unknown };

/** Makes a request about the webhook of a kind of an app of the build. */
export const requestHook = async (
  kind: string,
  action: HookAction,
  credential: { readonly type: string; readonly data: JsonObject },
  answer: HookAnswer,
  { parameters = {}, kept = null }: { readonly parameters?: JsonObject; readonly kept?: Json } = {},
) => {
  const sent: SentByHook[] = [];
  const http: OutboundHttp = {
    request: async ({ url, method, body }) => {
      const { pathname, search } = new URL(url);
      const one = { method: method ?? 'GET', path: pathname + search, body: body === undefined ? '' : String(body) };
      sent.push(one);
      const { status = 200, body: given } = answer(one);
      return { status, statusText: '', headers: {}, body: Buffer.from(JSON.stringify(given)), url };
    },
  };
  const request = { action, version: 1, parameters, credential, url: URL_OF_HOOK, secret: 's3cret', kept };
  const ports = { http, now: () => 0, sleep: () => Promise.resolve() };
  const result = await callNodeHook(kind, request, ports, new AbortController().signal);
  return { result, sent };
};
