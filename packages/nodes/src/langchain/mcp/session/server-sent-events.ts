import type { JsonObject } from '@weft/node-catalogue';
import type { OutboundStream } from '@weft/outbound';
import { isAnswerTo, type McpTransport, messageOf, messagesIn } from './messages';
import { type McpTarget, mcpFailure, openResponse } from './target';

/** A request whose answer has not arrived. */
interface Waiting {
  readonly resolve: (message: JsonObject) => void;
  readonly reject: (thrown: unknown) => void;
}

/** Requests of one session may take this many times the time of one request. */
const SESSION_REQUESTS = 4;

/**
 * The older transport, of version 2024-11-05: a stream of events that first names the address to which messages are
 * posted, and then has the answers.
 * @throws NodeFailure if the stream cannot be opened, or names no address on the origin of the endpoint
 */
export async function openServerSentEvents(target: McpTarget): Promise<McpTransport> {
  const stream = await openResponse(target, {
    method: 'GET',
    url: target.url,
    headers: [['accept', 'text/event-stream']],
    timeoutMs: target.timeoutMs * SESSION_REQUESTS,
  });
  const session = new EventSession(target, stream);
  try {
    const address = await session.within('address of messages', session.address);
    return {
      request: (message, id) => session.request(address, message, id),
      notify: (message) => session.post(address, message),
      agree: (version) => session.agree(version),
      close: async () => session.close(),
    };
  } catch (thrown) {
    session.close();
    throw thrown;
  }
}

class EventSession {
  /** Rejects if the stream ends first. */
  readonly address: Promise<URL>;
  readonly #waiting = new Map<number, Waiting>();
  #version: string | undefined;
  #failure: unknown;
  #isClosed = false;

  constructor(
    private readonly target: McpTarget,
    private readonly stream: OutboundStream,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<URL>();
    this.address = promise;
    promise.catch(() => undefined);
    void this.#read(resolve).then(
      () => this.#end(mcpFailure(target, 'ended its stream of events.'), reject),
      (thrown: unknown) => this.#end(thrown, reject),
    );
  }

  agree(version: string): void {
    this.#version = version;
  }

  async request(address: URL, message: JsonObject, id: number): Promise<JsonObject> {
    if (this.#failure !== undefined) throw this.#failure;
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    promise.catch(() => undefined);
    this.#waiting.set(id, { resolve, reject });
    try {
      await this.post(address, message);
      return await this.within('answer', promise);
    } finally {
      this.#waiting.delete(id);
    }
  }

  async post(address: URL, message: JsonObject): Promise<void> {
    const response = await openResponse(this.target, {
      method: 'POST',
      url: address,
      headers: [
        ['content-type', 'application/json'],
        ...(this.#version === undefined ? [] : [['mcp-protocol-version', this.#version] as const]),
      ],
      body: Buffer.from(JSON.stringify(message)),
    });
    response.cancel();
  }

  /** Waits for the time of one request. @throws NodeFailure */
  async within<Value>(what: string, value: Promise<Value>): Promise<Value> {
    const { target } = this;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const advice = `Set "Timeout" of the node "${target.node}".`;
      timer = setTimeout(() => reject(mcpFailure(target, `sent no ${what} in time.`, advice)), target.timeoutMs);
    });
    try {
      return await Promise.race([value, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.stream.cancel();
  }

  async #read(found: (address: URL) => void): Promise<void> {
    for await (const { event, data } of messagesIn(this.target, this.stream)) {
      if (event === 'endpoint') found(this.#addressIn(data));
      else this.#deliver(data);
    }
  }

  #addressIn(data: string): URL {
    const { url } = this.target;
    const address = URL.canParse(data, url.href) ? new URL(data, url) : undefined;
    if (address?.origin === url.origin) return address;
    throw mcpFailure(this.target, 'names an address of messages on another host, which is refused.');
  }

  #deliver(data: string): void {
    const message = messageOf(this.target, data);
    for (const [id, { resolve }] of this.#waiting) if (isAnswerTo(message, id)) resolve(message);
  }

  #end(thrown: unknown, rejectAddress: (thrown: unknown) => void): void {
    this.#failure = thrown;
    if (this.#isClosed) return;
    this.stream.cancel();
    rejectAddress(thrown);
    for (const { reject } of this.#waiting.values()) reject(thrown);
  }
}
