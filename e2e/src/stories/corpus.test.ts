import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { runConformance, type CaseOutcome } from '../corpus/conformance';
import { knownFailures } from '../corpus/known-failures';
import { hasCorpus } from '../corpus/places';
import { startStandInInternet, type StandInInternet } from '../corpus/stand-in-internet';

/** The zone that the expectations of the corpus were made in, where a workflow states none. */
const ZONE = { DEFAULT_TIMEZONE: 'America/New_York' };
/** One case waits 42 seconds. */
const LONGEST_RUN_MS = 120_000;

/** Cases that must pass at least. */
const FLOORS = { workflows: 164, expressions: 291, roundtrip: 385 };

const passed = (outcomes: readonly CaseOutcome[]): number =>
  outcomes.filter(({ faults }) => faults.length === 0).length;
const failed = (outcomes: readonly CaseOutcome[]): readonly string[] =>
  outcomes
    .filter(({ faults }) => faults.length > 0)
    .map(({ name }) => name)
    .sort();
const faultsOfUnlisted = (outcomes: readonly CaseOutcome[], listed: readonly string[]): readonly CaseOutcome[] =>
  outcomes.filter(({ name, faults }) => faults.length > 0 && !listed.includes(name));

(hasCorpus ? describe : describe.skip)('the corpus of real workflows', () => {
  let internet: StandInInternet;
  let stack: Stack;

  beforeAll(async () => {
    internet = await startStandInInternet();
    stack = await borrowStack({
      env: {
        workflows: ZONE,
        runner: {
          ...ZONE,
          OUTBOUND_ALLOW: '',
          OUTBOUND_PROXY: internet.proxyUrl,
          OUTBOUND_PROXY_RESOLVES: 'on',
          NODE_EXTRA_CA_CERTS: internet.authorityFile,
        },
      },
    });
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await internet?.stop();
  });

  it.each([
    ['workflows', 'Workflows that do not pass'],
    ['expressions', 'Expressions that do not pass'],
    ['roundtrip', 'Round trips that do not pass'],
  ] as const)(
    '%s: what fails is what docs/compatibility.md lists, no more and no less',
    async (mode, heading) => {
      const outcomes = await runConformance(stack, mode, LONGEST_RUN_MS);
      const listed = knownFailures(heading);
      expect(faultsOfUnlisted(outcomes, listed)).toEqual([]);
      expect(failed(outcomes)).toEqual([...listed].sort());
      expect(passed(outcomes)).toBeGreaterThanOrEqual(FLOORS[mode]);
    },
    600_000,
  );

  it('calls no host without an answer in the stand-in, except the one that must be called by another name', () => {
    expect(internet.unanswered.filter((request) => !request.startsWith('GET https://ua.example.com/'))).toEqual([]);
  });
});
