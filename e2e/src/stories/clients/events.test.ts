import { credentials, Metadata } from '@grpc/grpc-js';
import { EventServiceClient, type StreamEventsResponse } from '@weft/proto/events';
import { createWeft } from '@weft/client';
import { borrowStack, giveStackBack, startProxy, type Stack } from '@weft/local-stack';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { followWithEventSource } from '../../support/stand-ins/event-source';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { chain, node } from '../../support/workflows';

type Facts = Readonly<Record<string, unknown>>;

const textIn = (facts: Facts | undefined, name: string): string => String(facts?.[name] ?? '');

describe('a run that is followed', () => {
  let stack: Stack;
  let rest: Rest;
  let target: Server;
  let targetUrl = '';
  /** Answers the request that is open at the target. */
  let answer: (() => void) | undefined;
  let events: EventServiceClient;
  const metadata = new Metadata();

  beforeAll(async () => {
    target = createServer((_, response) => {
      answer = () => response.setHeader('content-type', 'application/json').end('{"n":1}');
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    targetUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    stack = await borrowStack();
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    metadata.set('x-svc-api-key', stack.apiKey);
    events = new EventServiceClient(stack.grpcTargets.executions, credentials.createInsecure());
  });
  beforeEach(() => {
    answer = undefined;
  });
  afterAll(async () => {
    events?.close();
    await giveStackBack(stack);
    target.closeAllConnections();
    target.close();
  });

  const execute = async (nodes: Parameters<typeof chain>[1]): Promise<string> => {
    const id = textOf(await rest('POST', '/workflows', chain('followed', nodes)), 'id');
    return textOf(await rest('POST', `/workflows/${id}/execute`, {}), 'executionId');
  };
  const calling = [
    node('Start', 'manualTrigger', 1, 0),
    node('Call', 'httpRequest', 4.2, 200, { url: '', options: {} }),
    node('Fails', 'stopAndError', 1, 400, { errorMessage: 'It is over.' }),
  ];
  const withUrl = () =>
    calling.map((one) => (one.name === 'Call' ? { ...one, parameters: { url: targetUrl, options: {} } } : one));
  const pageOf = async (id: string, query = ''): Promise<readonly Facts[]> =>
    listOf(await rest('GET', `/executions/${id}/events${query}`));

  it('loses nothing to a client of @weft/client behind a proxy that cuts every 2 s', async () => {
    const proxy = await startProxy(Number(new URL(stack.baseUrls[0] ?? '').port));
    const cutting = setInterval(() => proxy.cut(), 2_000);
    try {
      const weft = createWeft({ baseUrl: `http://127.0.0.1:${proxy.port}`, apiKey: stack.apiKey });
      const id = await execute(withUrl());
      const followed: number[] = [];
      const follow = (async () => {
        for await (const { sequence } of weft.events(id)) followed.push(sequence);
      })();
      // Several connections are cut while nothing happens.
      await new Promise((resolve) => setTimeout(resolve, 7_000));
      await until('the node calls', () => Promise.resolve(answer !== undefined));
      answer?.();
      await follow;
      const stored = await pageOf(id);
      expect(followed).toEqual(stored.map(({ sequence }) => sequence));
      expect(followed.length).toBeGreaterThan(3);
    } finally {
      clearInterval(cutting);
      proxy.close();
    }
  });

  it('looks the same over gRPC, Server-Sent Events and pages, for early and late readers', async () => {
    const id = await execute(withUrl());
    const url = `${stack.baseUrls[0] ?? ''}/api/v1/executions/${id}/events`;
    const early = followWithEventSource(url, stack.apiKey);
    const frames: StreamEventsResponse[] = [];
    const stream = events.streamEvents({ executionId: id, afterSequence: 0 }, metadata);
    stream.on('data', (frame: StreamEventsResponse) => frames.push(frame));
    const ended = new Promise((resolve) => stream.once('end', resolve));
    const running = () =>
      early.events.flatMap(({ type, data }) => (type === 'progress' ? [JSON.stringify(data['running'] ?? {})] : []));
    await until('the running node is shown', async () => running().some((text) => text.includes('"node":"Call"')));
    await until('the request', async () => answer !== undefined);
    answer?.();
    await Promise.all([early.ended, ended]);

    const page = await pageOf(id);
    expect(page.map(({ sequence, type }) => `${String(sequence)} ${String(type)}`)).toEqual([
      '1 execution.accepted',
      '2 node.finished',
      '3 node.finished',
      '4 node.finished',
      '5 execution.ended',
    ]);
    expect(page[2]).toMatchObject({ node: 'Call', status: 'success', items: [1] });
    expect(page[3]).toMatchObject({ node: 'Fails', status: 'error', error: { message: 'It is over.' } });
    const numbered = early.events.filter(({ type }) => type.includes('.'));
    expect(numbered.map(({ data }) => data)).toEqual(page);
    expect(numbered.map(({ id: last }) => Number(last))).toEqual([1, 2, 3, 4, 5]);
    // Progress and the end have no id: a client that reconnects continues after the last event.
    expect(early.events.at(-1)).toMatchObject({ type: 'end', id: '5', data: { reason: 'complete' } });
    const overGrpc = frames.flatMap(({ frame }) => (frame?.$case === 'event' ? [frame.value] : []));
    expect(overGrpc.map(({ sequence, time }) => [sequence, time?.toISOString()])).toEqual(
      page.map(({ sequence, time }) => [sequence, time]),
    );

    const late = followWithEventSource(`${url}?after=3`, stack.apiKey);
    await late.ended;
    expect(late.events.filter(({ type }) => type.includes('.')).map(({ data }) => data)).toEqual(page.slice(3));
    const complete = followWithEventSource(`${url}?after=5`, stack.apiKey);
    await complete.ended;
    expect([complete.events, complete.connections()]).toEqual([[], 0]);
  });

  it('is waited for with one request, as a page of events or as the execution', async () => {
    const id = await execute(withUrl());
    await until('the request', async () => answer !== undefined);
    const whole = rest('GET', `/executions/${id}?wait=true&includeData=false`);
    const known = Number((await pageOf(id)).at(-1)?.['sequence']);
    const next = pageOf(id, `?after=${known}&wait=true`);
    answer?.();
    expect(textIn(dataOf(await whole), 'status')).toBe('error');
    expect((await next).filter(({ sequence }) => Number(sequence) <= known)).toEqual([]);
    expect((await pageOf(id)).at(-1)?.['type']).toBe('execution.ended');
  });
});
