import type { KindDescriptor } from '@weft/node-catalogue';
import { KINDS } from '../descriptors/kinds';
import { openFormats } from '../shared/file-formats/open-formats';
import { type CaseServer, startCaseServer } from '../testing/case-server';
import { shows } from '../testing/coverage';
import { faultsOf } from '../testing/faults';
import { findCases } from '../testing/find-cases';
import type { KindCases } from '../testing/node-case';
import { openCode } from '../testing/open-code';
import { operationsOf } from '../testing/operations';
import { standsFor, withstands } from '../testing/withstands';

/** Values that each parameter gets in the newest version of a kind, and in older ones: others in each of them. */
const [VALUES, OLDER_VALUES] = [5, 1];

let server: CaseServer;
const pool = openCode();
const formats = openFormats({ seal: 'auto', memoryMb: 256 });
beforeAll(async () => {
  server = await startCaseServer();
});
afterAll(async () => {
  await pool.close();
  await formats.close();
  await server.close();
});

const rowsOf = ({
  kind,
  cases,
  database,
}: KindCases): readonly (readonly [string, number, KindDescriptor, KindCases])[] => {
  const descriptor = KINDS.find((one) => one.kind === kind);
  if (descriptor === undefined || database !== undefined) return [];
  return descriptor.versions.map((version) => [kind, version, descriptor, { kind, cases }] as const);
};

describe('hostile names, injections, oversized and missing input, and wrong types', () => {
  it.each(findCases().flatMap(rowsOf))(
    'give items or a clear error in every operation of %s %s',
    async (_kind, version, descriptor, { cases }) => {
      const turn = descriptor.versions.indexOf(version);
      const values = version === descriptor.versions.at(-1) ? VALUES : OLDER_VALUES;
      const complaints: object[] = [];
      for (const operation of operationsOf(descriptor, version)) {
        const one = standsFor(cases.filter((each) => shows(descriptor, version, operation, each)));
        // an operation without a case fails the test of coverage, unless a real server has it
        if (one === undefined) continue;
        server.answerWith(one.serverAnswers);
        const found = await withstands(descriptor, version, faultsOf(one, server, turn, values), () => ({
          http: server.http,
          code: pool,
          formats: formats.of('owner'),
        }));
        complaints.push(...found.map((complaint) => ({ operation, ...complaint })));
      }
      expect(complaints).toEqual([]);
    },
  );
});
