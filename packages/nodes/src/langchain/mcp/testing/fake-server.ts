import { isJsonObject, type Json, type JsonObject, textField } from '@weft/node-catalogue';
import type { OutboundStream, OutboundStreamRequest, OutboundStreams } from '@weft/outbound';

/** The tool of the server: `add`, which returns the sum of `a` and `b` as text. */
const ADD: JsonObject = {
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
};

/**
 * An MCP server in this process that speaks both transports. Its tool fails if the sum is not a number.
 * @param tools that it lists, whatever it can call
 */
export function fakeMcpServer(tools: readonly JsonObject[] = [ADD]): OutboundStreams {
  let open: ((text: string) => void) | undefined;
  return {
    stream: async ({ method, url, body }: OutboundStreamRequest): Promise<OutboundStream> => {
      if (method === 'GET') {
        const events = queue();
        open = events.push;
        events.push('event: endpoint\ndata: /messages?s=1\n\n');
        return { ...head(200, 'text/event-stream', url), chunks: events.chunks(), cancel: events.end };
      }
      const answer = method === 'POST' ? answerTo(readMessage(body), tools) : undefined;
      if (answer === undefined) return whole(202, '', url);
      if (!url.includes('/messages')) return whole(200, JSON.stringify(answer), url);
      open?.(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
      return whole(202, '', url);
    },
  };
}

function answerTo(message: JsonObject, tools: readonly JsonObject[]): JsonObject | undefined {
  const { id, method, params } = message;
  if (id === undefined) return undefined;
  return { jsonrpc: '2.0', id, result: resultOf(method, isJsonObject(params) ? params : {}, tools) };
}

function resultOf(method: Json | undefined, params: JsonObject, tools: readonly JsonObject[]): JsonObject {
  if (method === 'initialize')
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'fake', version: '1' } };
  if (method === 'tools/list') return { tools: [...tools] };
  const args = isJsonObject(params['arguments']) ? params['arguments'] : {};
  const sum = Number(args['a']) + Number(args['b']);
  if (textField(params, 'name') !== 'add' || Number.isNaN(sum))
    return { content: [{ type: 'text', text: 'That cannot be added.' }], isError: true };
  return { content: [{ type: 'text', text: String(sum) }] };
}

function readMessage(body: OutboundStreamRequest['body']): JsonObject {
  const message: unknown = body instanceof Uint8Array ? JSON.parse(Buffer.from(body).toString()) : {};
  return isJsonObject(message) ? message : {};
}

const head = (status: number, type: string, url: string): Omit<OutboundStream, 'chunks' | 'cancel'> => ({
  status,
  statusText: '',
  headers: { 'content-type': type },
  url,
});

const whole = (status: number, text: string, url: string): OutboundStream => ({
  ...head(status, 'application/json', url),
  chunks: (async function* () {
    yield Buffer.from(text);
  })(),
  cancel: () => undefined,
});

/** Text that is read as it is pushed. */
function queue() {
  const texts: string[] = [];
  let isEnded = false;
  let wake = (): void => undefined;
  return {
    push: (text: string): void => {
      texts.push(text);
      wake();
    },
    end: (): void => {
      isEnded = true;
      wake();
    },
    chunks: async function* (): AsyncGenerator<Uint8Array> {
      for (;;) {
        const next = texts.shift();
        if (next !== undefined) yield Buffer.from(next);
        else if (isEnded) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}
