import { caseEnvironment } from '../testing/case-environment';
import { readAppCases } from '../testing/cases/app-cases';
import { outerCases } from '../testing/cases/coverage';
import { overloads, strainsOf } from '../testing/cases/strains';

const environment = caseEnvironment();

const ROWS = readAppCases().flatMap((all) => outerCases(all).map((row) => [all.kind, ...row] as const));
const LENGTH = 1_000_000;
const LIMIT_MS = 200;

describe('the worst strings for apps, from items', () => {
  it.each(ROWS)(`take at most ${LIMIT_MS} ms of the thread: %s %s %s`, async (kind, version, _operation, one) => {
    const { server, ports } = environment();
    server.answerWith(one.serverAnswers);
    expect(await overloads(kind, version, strainsOf(one, server, LENGTH), ports, LIMIT_MS)).toEqual([]);
  });
});
