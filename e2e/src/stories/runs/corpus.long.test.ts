import { borrowStack, freePort, giveStackBack, type Stack } from '@weft/local-stack';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAuthority, runConformance, type CaseOutcome, type ConformanceOptions } from '../../corpus/conformance';
import { knownFailures } from '../../corpus/known-failures';
import { hasCorpus } from '../../corpus/places';

/** The zone that the expectations of the corpus were made in, where a workflow sets none. */
const ZONE = { DEFAULT_TIMEZONE: 'America/New_York' };
/** A host that one recording uses: names without a dot are local, and refused unless allowed. */
const RECORDED_WITHOUT_A_DOT = 'test';
/** One case waits 42 seconds. */
const LONGEST_RUN_MS = 120_000;

/** Minimum number of cases that must pass. */
const FLOORS = { workflows: 165, expressions: 292, roundtrip: 385 };

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
  let stack: Stack;
  let options: ConformanceOptions;

  beforeAll(async () => {
    options = {
      waitMs: LONGEST_RUN_MS,
      proxyPort: await freePort(),
      authorityFolder: mkdtempSync(join(tmpdir(), 'weft-authority-')),
    };
    stack = await borrowStack({
      env: {
        workflows: ZONE,
        runner: {
          ...ZONE,
          OUTBOUND_ALLOW: RECORDED_WITHOUT_A_DOT,
          OUTBOUND_PROXY: `http://127.0.0.1:${options.proxyPort}`,
          OUTBOUND_PROXY_RESOLVES: 'on',
          NODE_EXTRA_CA_CERTS: makeAuthority(options.authorityFolder),
        },
      },
    });
  });
  afterAll(async () => {
    await giveStackBack(stack);
    rmSync(options.authorityFolder, { recursive: true, force: true });
  });

  it.each([
    ['workflows', 'Workflows that do not pass'],
    ['expressions', 'Expressions that do not pass'],
    ['roundtrip', 'Round trips that do not pass'],
  ] as const)(
    '%s: what fails is what docs/compatibility.md lists, no more and no less',
    async (mode, heading) => {
      const { outcomes, unanswered } = await runConformance(stack, mode, options);
      const listed = knownFailures(heading);
      expect(faultsOfUnlisted(outcomes, listed)).toEqual([]);
      expect(failed(outcomes)).toEqual([...listed].sort());
      expect(passed(outcomes)).toBeGreaterThanOrEqual(FLOORS[mode]);
      expect(unanswered).toEqual([]);
    },
    600_000,
  );
});
