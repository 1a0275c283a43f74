import type { JsonObject } from '@weft/node-catalogue';
import type { NodeExecutor, RunNode } from '../../node/node';
import { jsonOf, runInPieces, runTest, type TestRun } from '../../testing/run-test-workflow';

/** Calls the tools in the parameter `calls` once, and then gives what each returned. */
const root: RunNode = (context) => {
  const { continuation, node } = context;
  if (continuation !== undefined) {
    const seen = continuation.outcomes.map(
      ({ node: tool, items: [item], error }) => `${tool}=${error?.message ?? JSON.stringify(item?.json)}`,
    );
    return { kind: 'items', outputs: [[{ json: { seen } }]] };
  }
  const names = context.rawParameter('calls');
  const calls = (Array.isArray(names) ? names : []).map((tool, at) => ({
    id: `c${at}`,
    node: String(tool),
    tool: String(tool),
    input: { at: `${node.name}${at}` },
    itemIndex: 0,
  }));
  return { kind: 'request', calls, state: {} };
};

/**
 * Tools that note when they run. Each of them ends after the milliseconds of its parameter `ms`, and not before the log
 * has the entry `-Fast` as often as its parameter `after` says.
 */
const clocked = (
  log: string[] = [],
): { readonly tool: RunNode; readonly log: string[]; readonly most: () => number } => {
  let running = 0;
  let most = 0;
  const tool: RunNode = async (context) => {
    running += 1;
    most = Math.max(most, running);
    log.push(`+${context.node.name}`);
    context.log([`console of ${context.node.name}`]);
    const ended = (): number => log.filter((entry) => entry === '-Fast').length;
    do await new Promise((resolve) => setTimeout(resolve, Number(context.rawParameter('ms') ?? 0)));
    while (ended() < Number(context.rawParameter('after') ?? 0));
    log.push(`-${context.node.name}`);
    running -= 1;
    return { kind: 'items', outputs: [[{ json: { at: context.items[0]?.json['at'] ?? '' } }]] };
  };
  return { tool, log, most: () => most };
};

const test = (
  calls: readonly string[],
  tools: Readonly<Record<string, readonly [kind: string, parameters?: JsonObject]>>,
  executors: Readonly<Record<string, RunNode | Omit<NodeExecutor, 'kind'>>>,
): TestRun => ({
  nodes: [
    ['A', 'root', { parameters: { calls: [...calls] } }],
    ...Object.entries(tools).map(([name, [kind, parameters = {}]]): readonly [string, string, JsonObject] => [
      name,
      kind,
      { parameters },
    ]),
  ],
  links: Object.keys(tools).map((name) => `${name}>A@ai_tool`),
  start: 'A',
  executors: { root, ...executors },
});

describe('calls of one request', () => {
  it('run four at a time, and are recorded as they end', async () => {
    const { tool, log, most } = clocked();
    const result = await runTest(
      test(
        ['Slow', 'Fast', 'Fast', 'Fast', 'Late'],
        { Slow: ['tool', { ms: 1, after: 3 }], Fast: ['tool', { ms: 1 }], Late: ['tool'] },
        { tool },
      ),
    );
    expect(most()).toBe(4);
    expect(log.slice(0, 4)).toEqual(['+Slow', '+Fast', '+Fast', '+Fast']);
    expect(result.order).toEqual(['Fast', 'Fast', 'Fast', 'Slow', 'Late', 'A']);
    expect(jsonOf(result, 'A')).toEqual([
      {
        seen: ['Slow={"at":"A0"}', 'Fast={"at":"A1"}', 'Fast={"at":"A2"}', 'Fast={"at":"A3"}', 'Late={"at":"A4"}'],
      },
    ]);
    expect(result.records.get('Slow')?.[0]?.console).toEqual(['console of Slow']);
    expect(result.records.get('A')?.[0]?.metadata?.['subRun']).toEqual([
      { node: 'Slow', runIndex: 0 },
      { node: 'Fast', runIndex: 0 },
      { node: 'Fast', runIndex: 1 },
      { node: 'Fast', runIndex: 2 },
      { node: 'Late', runIndex: 0 },
    ]);
  });

  it('are in the state that is stored while they run, and not repeated once they are recorded', async () => {
    const { tool, log } = clocked();
    const given = test(['Slow', 'Fast'], { Slow: ['tool', { ms: 1, after: 1 }], Fast: ['tool'] }, { tool });
    const states: string[][] = [];
    await runTest({ ...given, onNodeRun: (event) => states.push(event.state().ready.map(({ node }) => node)) });
    expect(states).toEqual([['Slow', 'A'], ['A'], []]);
    log.length = 0;
    const pieces = await runInPieces(given);
    expect(log.filter((entry) => entry === '+Fast')).toHaveLength(1);
    expect(jsonOf(pieces, 'A')).toEqual([{ seen: ['Slow={"at":"A0"}', 'Fast={"at":"A1"}'] }]);
  });

  it('keep failures and secrets apart', async () => {
    const secret = 'secret-of-the-first';
    const first: RunNode = async (context) => {
      context.hide(secret);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { kind: 'items', outputs: [[{ json: { text: secret } }]] };
    };
    const second: RunNode = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new Error('broken');
    };
    const result = await runTest(test(['F', 'S'], { F: ['first'], S: ['second'] }, { first, second }));
    expect(jsonOf(result, 'A')).toEqual([{ seen: ['F={"text":"***"}', 'S=broken'] }]);
  });

  it('wait only when no other call can run, one after the other, each with a memory', async () => {
    const { tool, log } = clocked();
    const waits: RunNode = (context) => {
      const begun = context.memory['begun'];
      if (context.resume !== undefined) return { kind: 'items', outputs: [[{ json: { begun: begun ?? null } }]] };
      context.memory['begun'] = context.items[0]?.json['at'] ?? '';
      log.push(`begun ${String(context.memory['begun'])}`);
      return { kind: 'wait', wait: { kind: 'timer', at: 5 } };
    };
    const given = test(['W', 'W', 'T'], { W: ['waits'], T: ['tool', { ms: 5 }] }, { waits, tool });
    const first = await runTest(given);
    expect(log).toEqual(['begun A0', 'begun A1', '+T', '-T']);
    if (first.outcome.kind !== 'waiting') throw new Error('It does not wait.');
    const resume = { kind: 'timer' } as const;
    const second = await runTest({ ...given, state: first.outcome.state, records: first.records, resume });
    if (second.outcome.kind !== 'waiting') throw new Error('It does not wait again.');
    const third = await runTest({ ...given, state: second.outcome.state, records: second.records, resume });
    expect(jsonOf(third, 'A')).toEqual([{ seen: ['W={"begun":"A0"}', 'W={"begun":"A1"}', 'T={"at":"A2"}'] }]);
    expect(log).toHaveLength(4);
    expect(Object.keys(second.outcome.state.memories).filter((name) => name.startsWith('W'))).toHaveLength(1);
  });

  it('run alone if they wait for a caller', async () => {
    const { tool, most } = clocked();
    const asks = { run: tool, actsOutside: true, awaitsCaller: true };
    await runTest(test(['Asks', 'Asks', 'T'], { Asks: ['asks', { ms: 5 }], T: ['tool'] }, { asks, tool }));
    expect(most()).toBe(1);
  });

  it('may request calls themselves', async () => {
    const { tool, most } = clocked();
    const given = test(
      ['Inner', 'Other', 'T'],
      { Inner: ['root', { calls: ['T', 'T'] }], Other: ['root', { calls: ['T'] }], T: ['tool', { ms: 5 }] },
      { tool },
    );
    const nested = { ...given, links: [...given.links, 'T>Inner@ai_tool', 'T>Other@ai_tool'] };
    const result = await runTest(nested);
    expect(jsonOf(result, 'A')).toEqual([
      {
        seen: [
          'Inner={"seen":["T={\\"at\\":\\"Inner0\\"}","T={\\"at\\":\\"Inner1\\"}"]}',
          'Other={"seen":["T={\\"at\\":\\"Other0\\"}"]}',
          'T={"at":"A2"}',
        ],
      },
    ]);
    expect(most()).toBe(2);
    expect([...(await runInPieces(nested)).records.keys()].sort()).toEqual(['A', 'Inner', 'Other', 'T']);
  });
});
