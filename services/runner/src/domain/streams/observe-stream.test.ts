import { OutboundError, type OutboundStream } from '@weft/outbound';
import { observeStream } from './observe-stream';

/** A response of three chunks, or of one and an error, that tells what happens to its connection. */
const stream = (failure?: Error) => {
  const seen: string[] = [];
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield Buffer.from('one');
      if (failure !== undefined) throw failure;
      yield Buffer.from('three');
      yield Buffer.from('!');
      seen.push('complete');
    } finally {
      seen.push('closed');
    }
  }
  const response: OutboundStream = {
    status: 200,
    statusText: 'OK',
    headers: { 'content-type': 'text/plain' },
    url: 'http://x.example/',
    chunks: { [Symbol.asyncIterator]: chunks },
    cancel: () => void seen.push('cancelled'),
  };
  return { response, seen };
};

const observed = ({ response, seen }: ReturnType<typeof stream>) =>
  observeStream(response, {
    onChunk: (bytes) => void seen.push(String(bytes)),
    onEnd: (error) => void seen.push(error === undefined ? 'ended' : `failed ${String(error)}`),
  });

describe('an observed stream', () => {
  it('has the same head and the same chunks, each of which is counted, and one end', async () => {
    const source = stream();
    const { chunks, cancel, ...head } = observed(source);
    const texts: string[] = [];
    for await (const chunk of chunks) texts.push(Buffer.from(chunk).toString());
    cancel();
    expect(texts).toEqual(['one', 'three', '!']);
    expect(head).toEqual({ status: 200, statusText: 'OK', headers: source.response.headers, url: 'http://x.example/' });
    expect(source.seen).toEqual(['3', '5', '1', 'complete', 'closed', 'ended', 'cancelled']);
  });

  it('that is left early ends, and its connection is closed', async () => {
    const source = stream();
    for await (const _chunk of observed(source).chunks) break;
    expect(source.seen).toEqual(['3', 'ended', 'closed']);
  });

  it('that fails ends with the error, which its reader gets', async () => {
    const source = stream(new OutboundError('CONNECTION_LOST', 'The connection was lost.'));
    const reading = (async () => {
      for await (const _chunk of observed(source).chunks) continue;
    })();
    await expect(reading).rejects.toThrow(OutboundError);
    expect(source.seen).toEqual(['3', 'closed', 'failed OutboundError: The connection was lost.']);
  });

  it('that is cancelled without being read ends', () => {
    const source = stream();
    observed(source).cancel();
    expect(source.seen).toEqual(['cancelled', 'ended']);
  });

  it('that its observer ends is closed, and fails with the reason', async () => {
    const source = stream();
    const { chunks } = observeStream(source.response, {
      onChunk: () => {
        throw new Error('too much');
      },
      onEnd: (error) => void source.seen.push(String(error)),
    });
    await expect(chunks[Symbol.asyncIterator]().next()).rejects.toThrow('too much');
    expect(source.seen).toEqual(['Error: too much', 'closed']);
  });
});
