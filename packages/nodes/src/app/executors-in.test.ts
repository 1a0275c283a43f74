import { checkApp } from '@weft/app-model/check';
import { initialState, type Item, runWorkflow } from '@weft/engine';
import { readDefinition, type Json, type JsonObject, type PinnedApp } from '@weft/node-catalogue';
import type { OutboundHttp } from '@weft/outbound';
import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { checkDefinition } from '../definitions/check-definition';
import { kindsIn } from '../descriptors/kinds-in';
import { NODE_REGISTRY } from '../executors';
import { testPorts } from '../testing/cases/run-kind';
import { prepareWithApps } from './executors-in';

const TYPE = '@apify/n8n-nodes-apify.apify';
const SAMPLE = join(__dirname.split(`${sep}packages${sep}`)[0] ?? '', 'samples/apps/apify.yaml');
const TOKEN = 'apify_api_very_secret';

/** The sample that provides a community package's type. */
const pinned = (): PinnedApp => {
  const checked = checkApp('apify.yaml', readFileSync(SAMPLE, 'utf8'));
  if (checked.kind !== 'app') throw new Error(checked.problems.map(({ message }) => message).join('\n'));
  return { name: 'apify', digest: 'sha256:a', kinds: [TYPE], json: JSON.stringify(checked.app) };
};

const definition = (parameters: JsonObject, apps?: readonly PinnedApp[]) => ({
  ...readDefinition({
    name: 'W',
    nodes: [
      {
        id: '1',
        name: 'Start',
        type: 'n8n-nodes-base.manualTrigger',
        typeVersion: 1,
        position: [0, 0],
        parameters: {},
      },
      {
        id: '2',
        name: 'Apify',
        type: TYPE,
        typeVersion: 1,
        position: [200, 0],
        parameters,
        credentials: { apifyApi: { id: 'c', name: 'Apify account' } },
      },
    ],
    connections: { Start: { main: [[{ node: 'Apify', type: 'main', index: 0 }]] } },
  }),
  ...(apps === undefined ? {} : { apps }),
});

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** Runs the workflow against answers of Apify, in order. */
const run = async (parameters: JsonObject, answers: readonly Json[]) => {
  const sent: Sent[] = [];
  const http: OutboundHttp = {
    request: async ({ method = 'GET', url, headers = [], body }) => {
      const authorization = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
      sent.push({ method, url, authorization, body: Buffer.isBuffer(body) ? body.toString() : String(body ?? '') });
      const answer = answers[sent.length - 1] ?? null;
      const status = answer === null ? 500 : 200;
      return { status, statusText: '', headers: {}, body: Buffer.from(JSON.stringify(answer)), url };
    },
  };
  const workflow = prepareWithApps(definition(parameters, [pinned()]));
  const { records } = await runWorkflow(
    {
      workflow,
      workflowId: 'w1',
      workflowActive: true,
      executionId: 'e1',
      mode: 'manual',
      input: [{ json: {} }],
      usePinData: false,
      signal: new AbortController().signal,
      state: initialState('Start'),
      records: new Map(),
    },
    {
      registry: NODE_REGISTRY,
      ports: testPorts({ http, items: [{}], parameters: {}, credential: { apiKey: TOKEN } }, []),
      defaultTimezone: 'UTC',
      vars: {},
      env: {},
      nodeRunsMax: 100,
    },
    { onNodeRun: () => undefined, stopRequested: () => undefined },
  );
  const record = records.get('Apify')?.[0];
  const items: readonly Item[] = record?.data?.main?.[0] ?? [];
  return { sent, items: items.map(({ json }) => json), error: record?.error?.message };
};

const RUN = { id: 'r1', status: 'RUNNING', defaultDatasetId: 'd1' };
const ENDED = { ...RUN, status: 'SUCCEEDED' };

describe('a community type that an app provides', () => {
  it('is checked with its app, and unknown without it', () => {
    const parameters = { operation: 'Run actor and get dataset', actorId: { __rl: true, mode: 'id', value: 'a/b' } };
    expect(checkDefinition(definition(parameters, [pinned()]))).toEqual([]);
    expect(checkDefinition(definition(parameters))).toMatchObject([
      { node: 'Apify', message: expect.stringContaining('add an app that provides this type') },
    ]);
    expect(checkDefinition(definition({ operation: 'Get last run' }, [pinned()]))).toMatchObject([
      { field: 'parameters.userActorId' },
    ]);
    expect(checkDefinition(definition({ operation: 'Scrape single URL' }, [pinned()]))).toMatchObject([
      { message: expect.stringContaining('is not available yet') },
    ]);
  });

  it('runs on the engine with the executor of its app', async () => {
    const parameters = {
      operation: 'Run actor and get dataset',
      actorId: { __rl: true, mode: 'id', value: 'compass/crawler' },
      customBody: '{ "max": 2 }',
      timeout: {},
    };
    const { sent, items, error } = await run(parameters, [
      { data: RUN },
      { data: RUN },
      { data: ENDED },
      { data: ENDED },
      [{ n: 1 }, { n: 2 }],
    ]);
    expect([error, items]).toEqual([undefined, [{ n: 1 }, { n: 2 }]]);
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://api.apify.com/v2/acts/compass~crawler/runs?waitForFinish=60',
      'GET https://api.apify.com/v2/actor-runs/r1?waitForFinish=60',
      'GET https://api.apify.com/v2/actor-runs/r1?waitForFinish=60',
      'GET https://api.apify.com/v2/actor-runs/r1',
      'GET https://api.apify.com/v2/datasets/d1/items?format=json',
    ]);
    expect(sent[0]?.body).toBe('{"max":2}');
    expect(new Set(sent.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${TOKEN}`]));
  });

  it('fails with the message of its app', async () => {
    const parameters = { operation: 'Run actor and get dataset', actorId: 'a' };
    const failed = { data: { ...RUN, status: 'FAILED' } };
    expect((await run(parameters, [failed, failed])).error).toBe('The run r1 of Apify has the status FAILED.');
  });

  it('is a tool of models as well', () => {
    const tool = kindsIn(definition({}, [pinned()])).get(`${TYPE}Tool`);
    expect(tool).toMatchObject({ kind: `${TYPE}Tool`, toolOf: TYPE, provides: [{ type: 'ai_tool' }] });
    const { nodes, ...rest } = definition({ operation: 'Run actor and get dataset', actorId: 'a' }, [pinned()]);
    const asTool = {
      ...rest,
      nodes: nodes.map((node) => (node.type === TYPE ? { ...node, type: `${TYPE}Tool` } : node)),
    };
    expect(checkDefinition(asTool)).toEqual([]);
    expect(prepareWithApps(asTool).nodes.get('Apify')?.executor?.supplies?.ai_tool).toBeInstanceOf(Function);
  });

  it('does not change the kinds of other definitions', () => {
    expect(kindsIn(definition({}, [pinned()])).has(TYPE)).toBe(true);
    expect(kindsIn(definition({})).has(TYPE)).toBe(false);
    expect(kindsIn(definition({}, [pinned()])).has('httpRequest')).toBe(true);
  });
});
