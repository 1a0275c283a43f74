import { KINDS } from '../descriptors/kinds';
import { caseEnvironment } from '../testing/case-environment';
import { shows } from '../testing/coverage';
import { faultsOf } from '../testing/faults';
import { findCases } from '../testing/find-cases';
import { operationsOf } from '../testing/operations';
import { standsFor, withstands } from '../testing/withstands';

/** Values that each parameter gets in the newest version of a kind, and in older ones: others in each of them. */
const [VALUES, OLDER_VALUES] = [5, 1];

const environment = caseEnvironment();

/** Every operation of every version, with the case that stands for it. Databases have theirs in the service tests. */
const ROWS = findCases().flatMap(({ kind, cases, database }) => {
  const descriptor = KINDS.find((one) => one.kind === kind);
  if (descriptor === undefined || database !== undefined) return [];
  return descriptor.versions.flatMap((version) =>
    operationsOf(descriptor, version).flatMap((operation) => {
      // an operation without a case fails the test of coverage, unless a real server has it
      const one = standsFor(cases.filter((each) => shows(descriptor, version, operation, each)));
      return one === undefined ? [] : [[kind, version, operation, descriptor, one] as const];
    }),
  );
});

describe('hostile names, injections, oversized and missing input, and wrong types', () => {
  it.each(ROWS)('give items or a clear error: %s %s %s', async (_kind, version, _operation, descriptor, one) => {
    const turn = descriptor.versions.indexOf(version);
    const values = version === descriptor.versions.at(-1) ? VALUES : OLDER_VALUES;
    const { server, ports } = environment();
    server.answerWith(one.serverAnswers);
    expect(await withstands(descriptor, version, faultsOf(one, server, turn, values), ports)).toEqual([]);
  });
});
