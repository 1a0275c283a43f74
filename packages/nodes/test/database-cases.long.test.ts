import { knownKind } from '../src/testing/known-kind';
import { operationCases } from '../src/testing/cases/coverage';
import { faultsOf } from '../src/testing/cases/faults';
import { findCases } from '../src/testing/cases/find-cases';
import { keepsPromise } from '../src/testing/cases/keeps-promise';
import type { NodeCase } from '../src/testing/cases/node-case';
import { runKind } from '../src/testing/cases/run-kind';
import { withstands } from '../src/testing/cases/withstands';
import { type CaseSession, openCaseSession, VARIABLES } from './support/case-databases';
import { describeWith, localDatabases } from './support/servers';

for (const { kind, cases, database } of findCases()) {
  if (database === undefined) continue;
  describeWith(VARIABLES[database], kind, (server) => {
    const clients = localDatabases([server.port]);
    let session: CaseSession;
    beforeAll(async () => {
      session = await openCaseSession(database, server);
    });
    afterAll(() => {
      session.close();
      clients.close();
    });
    const keeps = async (version: number, one: NodeCase, explicit: boolean): Promise<void> => {
      for (const parts of one.given ?? []) await session.ask(parts);
      const node = { credentials: { [database]: { id: 'c1', name: 'Database' } } };
      const ports = { databases: clients.databases, credential: server.credential, node };
      await keepsPromise(kind, version, one, { url: '', explicit, ports });
      if (one.leaves !== undefined) expect(await session.ask(one.leaves.ask)).toEqual(one.leaves.answer);
    };
    const rows = cases.flatMap((one) =>
      one.versions.map((version): [number, string, NodeCase] => [version, one.it, one]),
    );
    it.each(rows)('%s %s', (version, _promise, one) => keeps(version, one, false));
    it.each(rows)('%s with every default explicit %s', (version, _promise, one) => keeps(version, one, true));

    it.each(knownKind(kind).versions)('%s reports a wrong password without it', async (version) => {
      const one = cases.find(({ versions }) => versions.includes(version));
      if (one === undefined || typeof one.run === 'function') throw new Error(`No case of ${kind} ${version}.`);
      const node = { credentials: { [database]: { id: 'c1', name: 'Database' } } };
      const credential = { ...server.credential, password: 'wrong-password-9' };
      const { error, outputs } = await runKind(kind, { ...one.run, ...clients, credential, node, version });
      expect(error?.message).toMatch(/password|auth|Access denied|WRONGPASS/i);
      expect(error?.name).toMatch(/^Node(Operation|Api)Error$/);
      expect(JSON.stringify([error, outputs])).not.toContain('wrong-password-9');
    });

    it.each(operationCases({ kind, cases }))(
      '%s %s gives items or a clear error for hostile, oversized and missing input and wrong types',
      async (version, _operation, one) => {
        for (const parts of one.given ?? []) await session.ask(parts);
        const node = { credentials: { [database]: { id: 'c1', name: 'Database' } } };
        const ports = { databases: clients.databases, credential: server.credential, node };
        const faults = faultsOf(one, { url: '' }, version, knownKind(kind).versions);
        expect(await withstands(kind, version, faults, ports)).toEqual([]);
      },
    );
  });
}
