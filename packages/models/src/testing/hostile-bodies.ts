import type { ServerResponse } from 'node:http';
import type { ModelFormat } from '../chat-model';
import { type FormatWriter, framed, type HostileBody, streamType } from './script';

/** A request that gets a hostile response. */
export interface HostileTarget {
  readonly format: ModelFormat;
  readonly isStreamed: boolean;
  readonly writer: FormatWriter;
  readonly response: ServerResponse;
}

/** Sends bytes that no service should send. Resolves when the client has left or the bytes are sent. */
export async function sendHostile(kind: HostileBody, target: HostileTarget): Promise<void> {
  const { response, format, isStreamed, writer } = target;
  if (kind === 'redirect') {
    response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end();
    return;
  }
  response.writeHead(200, { 'content-type': isStreamed ? streamType(format) : 'application/json' });
  const isFramed = isStreamed && format !== 'ollama';
  const inFrame = (text: string): string => (isFramed ? `data: ${text}\n\n` : `${text}\n`);
  switch (kind) {
    case 'silent':
      response.flushHeaders();
      return;
    case 'not-json':
      response.end(inFrame('<html>not found</html>'));
      return;
    case 'deep':
      response.end(inFrame(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`));
      return;
    case 'many-calls': {
      const toolCalls = Array.from({ length: 1_000 }, (_, index) => ({ id: `c${index}`, name: 'f', input: {} }));
      const answer = { toolCalls };
      response.end(isStreamed ? framed(format, writer.events(answer, 'm')) : JSON.stringify(writer.whole(answer, 'm')));
      return;
    }
    case 'endless-line':
      response.write(isFramed ? 'data: {"a":"' : '{"a":"');
      return pour(response, 'x'.repeat(65_536));
    case 'endless': {
      const events = writer.events({ text: 'more' }, 'm');
      // the start of a message is sent once, its text without end
      const at = events.findIndex(({ data }) => JSON.stringify(data).includes('more'));
      response.write(framed(format, events.slice(0, at)));
      return pour(response, isStreamed ? framed(format, events.slice(at, at + 1)).repeat(100) : ' '.repeat(65_536));
    }
  }
}

/** Writes the same text until the client leaves, no faster than it reads. */
async function pour(response: ServerResponse, text: string): Promise<void> {
  const left = new Promise<void>((resolve) => {
    response.once('close', resolve);
  });
  while (!response.destroyed) {
    if (response.write(text)) continue;
    const drained = new Promise<void>((resolve) => {
      response.once('drain', resolve);
    });
    await Promise.race([left, drained]);
  }
}
