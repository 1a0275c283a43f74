import type { JsonObject } from '@weft/node-catalogue';
import type { OutboundHttp } from '@weft/outbound';
import { listNodeOptions, type OptionsRequest, type OptionsResult } from '../options';

/** Lists options of an app's kind, whose service gives these answers in order. */
export async function askForOptions(
  type: string,
  request: Partial<OptionsRequest>,
  answers: readonly JsonObject[] = [],
): Promise<{ result: OptionsResult | undefined; urls: URL[] }> {
  const urls: URL[] = [];
  const http: OutboundHttp = {
    request: ({ url }) => {
      urls.push(new URL(url));
      const body = Buffer.from(JSON.stringify(answers[urls.length - 1] ?? {}));
      return Promise.resolve({ status: 200, statusText: 'OK', headers: {}, body, url });
    },
  };
  const result = await listNodeOptions(
    type,
    { version: undefined, list: '', parameters: {}, credential: undefined, search: '', cursor: '', ...request },
    { http, now: () => 0, sleep: () => Promise.resolve() },
    new AbortController().signal,
  );
  return { result, urls };
}
