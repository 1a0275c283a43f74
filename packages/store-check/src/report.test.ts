import { tableOf, outcomeOf, withoutPassword, type CheckResult } from './report';

const result = (outcome: CheckResult['outcome'], detail = ''): CheckResult => ({
  area: 'writes',
  what: 'something',
  outcome,
  detail,
});

describe('the outcome for a store', () => {
  it.each([
    ['ok', true, 'Weft can use this store: all 1 checks passed.'],
    ['note', true, 'Weft can use this store: all 1 checks passed. Read the note above.'],
    ['fails', false, 'Not supported: 1 of 1 checks failed. Use another store.'],
  ] as const)('of one check that is %s', (outcome, isUsable, sentence) => {
    expect(outcomeOf([result(outcome)])).toEqual({ isUsable, sentence });
  });
});

describe('the table of checks', () => {
  it('has one line for each check, however long and broken its message is', () => {
    const lines = tableOf([result('ok'), result('fails', `broken\n${'x'.repeat(1_000)}`)]).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/^fails {2}writes {2}something {7}broken x+$/);
    expect(lines[2]?.length).toBeLessThan(400);
  });
});

describe('an address that is shown', () => {
  it.each([
    ['mongodb://weft:s3cr@t@db:27017/?tls=true', 'mongodb://weft:***@db:27017/?tls=true'],
    ['mongodb://weft@db', 'mongodb://weft@db'],
    ['mongodb://db:27017', 'mongodb://db:27017'],
  ])('has no password: %s', (uri, shown) => {
    expect(withoutPassword(uri)).toBe(shown);
  });
});
