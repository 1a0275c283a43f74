import type { CheckResult, JsonObject } from '@weft/apply';
import { createChecker, type Candidate } from './checker';
import type { Connected } from './namespace-session';

const sourceOf = (version: string, definition: JsonObject = { version }): Candidate['source'] => ({
  version,
  definition,
});

const resultOf = (definition: JsonObject): CheckResult => ({
  definition,
  hash: JSON.stringify(definition),
  fields: [],
  warnings: [],
  credentials: [],
  runnable: true,
  routes: [],
});

const setUp = (waiting: readonly Candidate[]) => {
  const requests: number[] = [];
  const calls = {
    check: (_: string, definitions: readonly JsonObject[]): Promise<readonly CheckResult[]> => {
      requests.push(definitions.length);
      return Promise.resolve(definitions.map(resultOf));
    },
  };
  const check = createChecker({
    // Only `check` is called.
    session: { check: (work) => work({ projectId: 'p', calls: calls as Connected['calls'] }) },
    others: (uid, limit) => Promise.resolve(waiting.filter((one) => one.uid !== uid).slice(0, limit)),
    strip: ({ definition }) => definition,
  });
  return { requests, check };
};

const candidates = (count: number): readonly Candidate[] =>
  Array.from({ length: count }, (_, number) => ({
    uid: `u${number}`,
    source: sourceOf('1', { number }),
    workflowId: undefined,
  }));

describe('checking definitions', () => {
  it('checks up to a hundred waiting objects with one request', async () => {
    const waiting = candidates(250);
    const { requests, check } = setUp(waiting);
    for (const { uid, source } of waiting.slice(0, 100)) {
      const { definition } = await check(uid, source, undefined);
      expect(definition).toEqual(source.definition);
    }
    expect(requests).toEqual([100]);
  });

  it('has objects that are checked at the same time share the request', async () => {
    const waiting = candidates(4);
    const { requests, check } = setUp(waiting);
    await Promise.all(waiting.map(({ uid, source }) => check(uid, source, undefined)));
    expect(requests).toEqual([4]);
  });

  it('uses the result of a batch once, and not for another version', async () => {
    const waiting = candidates(2);
    const { requests, check } = setUp(waiting);
    await check('u0', sourceOf('1'), undefined);
    await check('u1', sourceOf('2', { number: 7 }), undefined);
    expect(requests).toEqual([2, 2]);
  });
});
