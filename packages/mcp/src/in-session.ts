import type { McpHost } from './host';
import type { Json } from './json';
import { idOf, errorText, readMessage } from './messages';
import { RpcError } from './errors';
import { outcomeOf, type PostResponse } from './streamable-http';

/** A message of a client of the older transport: refused, or with a function that gives the text of its answer. */
export type SessionMessage =
  | { readonly refused: PostResponse }
  | {
      /** @returns undefined for a message that needs none; never rejects */
      readonly answer: (host: McpHost, signal: AbortSignal) => Promise<string | undefined>;
    };

/** Reads a message whose answer goes to the stream of its session. */
export const readSessionMessage = (body: Json): SessionMessage => {
  try {
    const message = readMessage(body);
    if (message.kind !== 'request') return { answer: () => Promise.resolve(undefined) };
    return { answer: async (host, signal) => (await outcomeOf(message, false, host, { signal })).text };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { refused: { kind: 'json', status: 400, text: errorText(idOf(body), error, true) } };
  }
};
