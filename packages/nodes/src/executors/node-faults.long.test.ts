import { caseEnvironment } from '../testing/case-environment';
import { outerCases } from '../testing/cases/coverage';
import { faultsOf } from '../testing/cases/faults';
import { findCases } from '../testing/cases/find-cases';
import { knownKind } from '../testing/known-kind';
import { withstands } from '../testing/cases/withstands';

const environment = caseEnvironment();

/** Databases are covered by the service tests. */
const ROWS = findCases().flatMap((all) =>
  all.database === undefined ? outerCases(all).map((row) => [all.kind, ...row] as const) : [],
);

describe('hostile names, injections, oversized and missing input, and wrong types', () => {
  it.each(ROWS)('give items or a clear error: %s %s %s', async (kind, version, _operation, one) => {
    const { server, ports } = environment();
    server.answerWith(one.serverAnswers);
    const faults = faultsOf(one, server, version, knownKind(kind).versions);
    expect(await withstands(kind, version, faults, ports)).toEqual([]);
  });
});
