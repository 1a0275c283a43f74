import { factsOf, judgeHello, judgeVersion } from './server-checks';

const judge = (buildInfo: Record<string, unknown>, uri = 'mongodb://db:27017') => judgeVersion(factsOf(buildInfo, uri));

describe('the version of a store', () => {
  it.each([
    ['MongoDB 7.0.14', { version: '7.0.14' }, 'ok'],
    ['MongoDB 8.0.3', { version: '8.0.3' }, 'ok'],
    ['MongoDB 6.0.9', { version: '6.0.9' }, 'fails'],
    ['MongoDB 9.0.0', { version: '9.0.0' }, 'note'],
    ['FerretDB 2.7.0', { version: '7.0.77', ferretdb: { version: 'v2.7.0' } }, 'ok'],
    ['FerretDB 1.24.0', { version: '7.0.42', ferretdb: { version: 'v1.24.0' } }, 'fails'],
  ])('%s is judged', (name, buildInfo, outcome) => {
    expect(judge(buildInfo)).toMatchObject({ outcome, detail: expect.stringContaining(name) });
  });

  it.each(['mongodb://c.docdb.amazonaws.com:27017', 'mongodb://a.mongo.cosmos.azure.com:10255'])(
    'of %s is not that of MongoDB, so the other checks decide',
    (uri) => {
      expect(judge({ version: '5.0.0' }, uri)).toMatchObject({ outcome: 'note' });
    },
  );
});

describe('what a store says in hello', () => {
  const now = Date.UTC(2026, 0, 1);
  const outcomes = (hello: Record<string, unknown>): readonly string[] =>
    judgeHello(hello, now).map(({ outcome }) => outcome);

  it('is fine with a clock and a replica set', () => {
    expect(outcomes({ localTime: new Date(now + 5), setName: 'rs0' })).toEqual(['ok', 'ok']);
  });

  it('is noted for a single server, which may lose what it acknowledged', () => {
    expect(outcomes({ localTime: new Date(now) })).toEqual(['ok', 'note']);
  });

  it.each([
    ['without a clock', {}],
    ['with a clock that is a minute late', { localTime: new Date(now - 60_000) }],
  ])('fails %s: deadlines are kept by it', (_, hello) => {
    expect(outcomes(hello)[0]).toBe('fails');
  });
});
