import { caseEnvironment } from '../case-environment';
import { outerCases } from './coverage';
import type { KindCases } from './node-case';
import { overloads, strainsOf } from './strains';

const LENGTH = 1_000_000;
const LIMIT_MS = 200;

/** Declares a test for each operation of the kinds: the worst strings from items must not keep the thread. */
export function testCosts(of: string, kinds: readonly KindCases[]): void {
  const environment = caseEnvironment();
  const rows = kinds.flatMap((all) => outerCases(all).map((row) => [all.kind, ...row] as const));
  describe(`the worst strings${of}, from items`, () => {
    it.each(rows)(`take at most ${LIMIT_MS} ms of the thread: %s %s %s`, async (kind, version, _operation, one) => {
      const { server, ports } = environment();
      server.answerWith(one.serverAnswers);
      expect(await overloads(kind, version, strainsOf(one, server, LENGTH), { ports, server }, LIMIT_MS)).toEqual([]);
    });
  });
}
