import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { activate, attach, chatModel, modelNode, openAiCredential } from '../../support/agents';
import { restClient, type Rest } from '../../support/rest';
import { serve, type StandIn } from '../../support/stand-ins/serve';
import {
  chunkOf,
  delaysOf,
  endStream,
  readLines,
  startTimedModel,
  textOfLines,
  type TimedModel,
} from '../../support/streams/timed-model';
import { makeUser } from '../../support/users';
import { node } from '../../support/workflows';

const PARTS = 12;
const CALLS = 8;
/** Limits next to a hostile stream: the machine of a test may be busy with other work. */
const MEDIAN_MS = 250;
const MAX_GROWTH_MIB = 400;

const writeAll = async (response: ServerResponse, texts: Iterable<string>): Promise<void> => {
  for (const text of texts) {
    if (response.destroyed) return;
    if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  endStream(response);
};

/** A million parts of one character. */
function* tinyParts(): Generator<string> {
  const thousand = chunkOf({ content: 'x' }).repeat(1_000);
  for (let part = 0; part < 1_000; part += 1) yield thousand;
}

/** Text of parts of 100 KB, to a limit that a caller who reads nothing does not take. */
function* largeParts(): Generator<string> {
  for (let part = 0; part < 38; part += 1) yield chunkOf({ content: 'y'.repeat(100_000) });
}

/** What the hostile model answers, by the path of the request. */
const HOSTILE: Readonly<Record<string, () => Iterable<string>>> = {
  tiny: tinyParts,
  huge: () => [chunkOf({ content: 'z'.repeat(10_000_000) })],
  unread: largeParts,
};

describe('streams of a hostile owner, next to one that is healthy', () => {
  let stack: Stack;
  let healthyModel: TimedModel;
  let hostileModel: StandIn;

  const streaming = (path: string, credential: string) => ({
    name: path,
    nodes: [
      node('Hook', 'webhook', 2.1, 0, { path, httpMethod: 'POST', responseMode: 'streaming' }),
      modelNode('Agent', 'agent', 3, { promptType: 'define', text: 'Go.' }),
      chatModel(credential),
    ],
    connections: {
      Hook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
      ...attach([['Model', 'ai_languageModel', 'Agent']]),
    },
  });
  const url = (path: string): string => `${stack.baseUrls[0] ?? ''}/webhook/${path}`;
  const post = (path: string) => fetch(url(path), { method: 'POST', body: '{}' });

  beforeAll(async () => {
    healthyModel = await startTimedModel({ parts: PARTS, pauseMs: 50 });
    hostileModel = await serve((received, response) => {
      received.resume();
      const [, name = ''] = (received.url ?? '').split('/');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      void writeAll(response, HOSTILE[name]?.() ?? []).catch(() => response.destroy());
    });
    stack = await borrowStack({ env: { runner: { OUTBOUND_ALLOW: '127.0.0.1' } } });
    const base = stack.baseUrls[0] ?? '';
    const healthy: Rest = restClient(base, stack.apiKey);
    const hostile = restClient(base, await makeUser(stack, 'hostile-streams', 'editor'));
    await activate(healthy, streaming('healthy-stream', await openAiCredential(healthy, `${healthyModel.url}/v1`)));
    for (const name of Object.keys(HOSTILE)) {
      const credential = await openAiCredential(hostile, `${hostileModel.url}/${name}/v1`);
      await activate(hostile, streaming(`hostile-${name}`, credential));
    }
    await readLines(await post('healthy-stream'));
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await Promise.all([healthyModel?.stop(), hostileModel?.stop()]);
  });

  /** Resident memory of each service in MiB. */
  const memory = (): number[] =>
    stack.processes.map(({ pid }) =>
      Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024),
    );

  /** Calls the healthy webhook again and again, while something else happens. @returns the median delay of its parts */
  const callHealthy = async (): Promise<number> => {
    const delays: number[] = [];
    for (let call = 0; call < CALLS; call += 1) {
      const lines = await readLines(await post('healthy-stream'));
      expect(textOfLines(lines).trim().split(' ')).toHaveLength(PARTS);
      delays.push(...delaysOf(lines));
    }
    return delays.sort((one, other) => one - other)[Math.floor(delays.length / 2)] ?? Number.NaN;
  };

  /** Runs three hostile calls beside the healthy ones. @returns what is expected of both */
  const beside = async <Result>(hostileCall: () => Promise<Result>) => {
    const before = memory();
    const running = Promise.all(Array.from({ length: 3 }, hostileCall));
    let most = before;
    const watch = setInterval(() => {
      most = memory().map((value, at) => Math.max(value, most[at] ?? 0));
    }, 100);
    const median = await callHealthy();
    const results = await running;
    clearInterval(watch);
    const growth = most.map((value, at) => value - (before[at] ?? 0));
    console.info(`median ${median.toFixed(1)} ms; grown by ${growth.join(', ')} MiB at most`);
    expect(median).toBeLessThan(MEDIAN_MS);
    expect(Math.max(...growth)).toBeLessThan(MAX_GROWTH_MIB);
    return results;
  };

  it('stays quick next to answers of a million parts of one character, which arrive whole', async () => {
    const texts = await beside(async () => textOfLines(await readLines(await post('hostile-tiny'))));
    // The response has at most a million characters.
    for (const text of texts) expect([text.length, new Set(text)]).toEqual([1_000_000, new Set('x')]);
  });

  it('stays quick next to parts of 10 MB, which fail with a clear end', async () => {
    const ends = await beside(async () => (await readLines(await post('hostile-huge'))).map(({ chunk }) => chunk));
    for (const chunks of ends) expect(chunks.filter(({ type }) => type === 'error')).toHaveLength(1);
  });

  it('stays quick next to callers who read nothing, whose runs end nevertheless', async () => {
    const rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const before = Date.now();
    const statuses = await beside(async () => {
      const call = request(url('hostile-unread'), { method: 'POST' });
      call.end('{}');
      const [response]: IncomingMessage[] = await once(call, 'response');
      response?.pause();
      const id = String(response?.headers['x-weft-execution-id']);
      try {
        for (;;) {
          const { text } = await rest('GET', `/executions/${id}`);
          if (/"status":"(success|error)"/.test(text)) return /"status":"success"/.test(text);
          if (Date.now() - before > 60_000) return text.slice(0, 200);
          await sleep(200);
        }
      } finally {
        call.destroy();
      }
    });
    expect(statuses).toEqual([true, true, true]);
  });
});
