import { OutboundError, type OutboundStream, type OutboundStreamRequest } from '@weft/outbound';
import { withContext } from '@weft/service-kit/context';
import { registry } from '@weft/service-kit/metrics';
import type { ActiveSpan, beginPart } from '@weft/service-kit/tracing';
import { traceStreams } from './run-spans';
import { countOutbound } from './runner-metrics';

const REQUEST: OutboundStreamRequest = {
  method: 'POST',
  url: 'https://models.example/v1?key=secret',
  timeoutMs: 1_000,
  followRedirects: true,
};

const lost = new OutboundError('CONNECTION_LOST', 'lost');

/** A response of two chunks, the second of which may be an error. */
const answering = (status: number, failure?: Error) => async (): Promise<OutboundStream> => ({
  status,
  statusText: '',
  headers: {},
  url: REQUEST.url,
  cancel: () => undefined,
  chunks: {
    async *[Symbol.asyncIterator]() {
      yield Buffer.from('abc');
      if (failure !== undefined) throw failure;
      yield Buffer.from('de');
    },
  },
});

const readAll = async ({ chunks }: OutboundStream): Promise<void> => {
  for await (const _chunk of chunks) continue;
};
const readOne = async ({ chunks }: OutboundStream): Promise<void> => {
  for await (const _chunk of chunks) return;
};
const readAndFail = (stream: OutboundStream): Promise<void> => expect(readAll(stream)).rejects.toBe(lost);

const TRACEPARENT = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01';

/** Spans that begin within a run, and what is known of each. */
const spans = () => {
  const noted: Record<string, unknown>[] = [];
  const begin = (_context: unknown, { name, attributes }: Parameters<typeof beginPart>[1]): ActiveSpan => {
    const facts: Record<string, unknown> = { name, ...attributes };
    noted.push(facts);
    return {
      isRecorded: true,
      traceparent: TRACEPARENT,
      rename: () => undefined,
      note: (added) => void Object.assign(facts, added),
      end: (error) => void Object.assign(facts, { end: error ?? 'ok' }),
    };
  };
  const span = begin(undefined, { name: 'run', kind: 'internal' });
  return { noted, span, begin };
};

describe('the span of a streamed request', () => {
  const traced = async (
    read: (stream: OutboundStream) => Promise<void>,
    status = 200,
    failure?: Error,
  ): Promise<Record<string, unknown> | undefined> => {
    const { noted, span, begin } = spans();
    const streams = traceStreams({ stream: answering(status, failure) }, () => false, begin);
    await withContext({ requestId: 'r', span }, async () => {
      const stream = await streams.stream(REQUEST);
      expect(noted[1]).not.toHaveProperty('end');
      await read(stream);
    });
    return noted[1];
  };

  it('lasts until the body ends, with its status and bytes, and without the address', async () => {
    expect(await traced(readAll)).toEqual({
      name: 'POST',
      'http.request.method': 'POST',
      'server.address': 'models.example',
      'http.response.status_code': 200,
      'http.response.body.size': 5,
      end: 'ok',
    });
    expect(await traced(readAll, 429)).toMatchObject({ end: '429' });
  });

  it('ends when the body is left or cancelled, and when it fails', async () => {
    expect(await traced(readOne)).toMatchObject({ 'http.response.body.size': 3, end: 'ok' });
    expect(await traced(async (stream) => stream.cancel())).toMatchObject({ 'http.response.body.size': 0, end: 'ok' });
    expect(await traced(readAndFail, 200, lost)).toMatchObject({ end: 'CONNECTION_LOST' });
  });

  it('ends when there is no response, and hosts get the trace only if they may', async () => {
    const { noted, span, begin } = spans();
    const sent: OutboundStreamRequest[] = [];
    const failing = (request: OutboundStreamRequest): Promise<never> => {
      sent.push(request);
      return Promise.reject(lost);
    };
    await withContext({ requestId: 'r', span }, async () => {
      await expect(traceStreams({ stream: failing }, () => true, begin).stream(REQUEST)).rejects.toBe(lost);
      await expect(traceStreams({ stream: failing }, () => false, begin).stream(REQUEST)).rejects.toBe(lost);
    });
    expect(noted[1]).toMatchObject({ end: 'CONNECTION_LOST' });
    expect(sent[0]).toMatchObject({ headers: [['traceparent', TRACEPARENT]], secretHeaders: ['traceparent'] });
    expect(sent[1]).toBe(REQUEST);
  });
});

/** Requests by outcome. */
const counts = async (): Promise<Map<string, number>> => {
  const { values = [] } = (await registry.getSingleMetric('weft_outbound_total')?.get()) ?? {};
  return new Map(values.map(({ labels, value }) => [String(labels['outcome']), value]));
};

/** Outcomes that were counted during some work. */
const countedBy = async (work: () => Promise<void>): Promise<string[]> => {
  const before = await counts();
  await work();
  const added = [...(await counts())].map(([outcome, count]) => [outcome, count - (before.get(outcome) ?? 0)] as const);
  return added.filter(([, count]) => count > 0).map(([outcome, count]) => `${outcome} ${count}`);
};

describe('the count of streamed requests', () => {
  const countsOf = (read: (stream: OutboundStream) => Promise<void>, failure?: Error): Promise<string[]> =>
    countedBy(async () => {
      const client = countOutbound({ request: () => Promise.reject(lost), stream: answering(200, failure) });
      await read(await client.stream(REQUEST));
    });

  it('has each once, when its body ends: with a response, or the reason there was none', async () => {
    expect(await countsOf(readAll)).toEqual(['response 1']);
    expect(await countsOf(readOne)).toEqual(['response 1']);
    expect(await countsOf(async (stream) => stream.cancel())).toEqual(['response 1']);
    expect(await countsOf(readAndFail, lost)).toEqual(['unreachable 1']);
  });

  it('has requests without a response', async () => {
    const client = countOutbound({ request: () => Promise.reject(lost), stream: () => Promise.reject(lost) });
    expect(await countedBy(() => expect(client.stream(REQUEST)).rejects.toBe(lost))).toEqual(['unreachable 1']);
  });
});
