import { KIND_TABLE } from '../descriptors/kinds';
import { caseEnvironment } from '../testing/case-environment';
import { findCases } from '../testing/cases/find-cases';
import { isSubNode } from '../testing/known-kind';
import { keepsPromise } from '../testing/cases/keeps-promise';
import type { KindCases, NodeCase } from '../testing/cases/node-case';
import { NODE_REGISTRY } from './index';

const KINDS = [...KIND_TABLE.values()];

const ALL = findCases();
const casesOf = (kind: string): readonly NodeCase[] =>
  ALL.filter((one) => one.kind === kind).flatMap(({ cases }) => cases);
const hasItemsOut = ({ gives, fails }: NodeCase, outputs: number): boolean =>
  outputs === 0 ? fails !== undefined : gives?.some((items) => items.length > 0) === true;
const hasItemsIn = ({ run }: NodeCase): boolean =>
  typeof run === 'function' || run.items !== undefined || run.inputs !== undefined;

const environment = caseEnvironment();

describe('the cases', () => {
  it.each(KINDS.filter((one) => one.neverRuns !== true && !isSubNode(one)).map((one) => [one.kind, one] as const))(
    'show every version of %s with items in and items out',
    (kind, { versions, outputs }) => {
      const shown = casesOf(kind)
        .filter((one) => hasItemsIn(one) && hasItemsOut(one, outputs.length))
        .flatMap((one) => one.versions);
      expect({ addCasesFor: versions.filter((version) => !shown.includes(version)) }).toEqual({ addCasesFor: [] });
    },
  );

  it('name existing kinds and versions, and check something', () => {
    const known = new Map(KINDS.map(({ kind, versions }) => [kind, versions]));
    for (const { kind, cases } of ALL) {
      for (const one of cases) {
        expect([kind, one.versions.filter((version) => known.get(kind)?.includes(version) !== true)]).toEqual([
          kind,
          [],
        ]);
        expect([
          kind,
          one.it,
          one.gives ?? one.fails ?? one.files ?? one.waits ?? one.answers ?? one.sends,
        ]).not.toContain(undefined);
      }
    }
  });
});

describe.each(ALL.filter(({ database }) => database === undefined).map((one): [string, KindCases] => [one.kind, one]))(
  '%s',
  (kind, { cases }) => {
    const rows = cases.flatMap((one) =>
      one.versions.map((version): [number, string, NodeCase] => [version, one.it, one]),
    );
    it.each(rows)('%s %s', (version, _promise, one) => keeps(kind, version, one, false));

    // A default in the catalogue must be the value that applies without it, including collections and entries.
    it.each(rows)('%s with every default explicit %s', (version, _promise, one) => keeps(kind, version, one, true));
  },
);

async function keeps(kind: string, version: number, one: NodeCase, explicit: boolean): Promise<void> {
  const { server, ports } = environment();
  server.answerWith(one.serverAnswers);
  server.expectExchanges(one.exchange);
  await keepsPromise(kind, version, one, {
    url: server.url,
    explicit,
    ports,
    last: server.last,
  });
  if (one.exchange !== undefined) expect(server.missed()).toEqual([]);
  server.expectExchanges(undefined);
}

describe('the registry', () => {
  it('runs exactly the kinds that the catalogue describes', () => {
    expect([...NODE_REGISTRY.keys()].sort()).toEqual(KINDS.map((one) => one.kind).sort());
  });

  it('registers every executor under its kind', () => {
    for (const [kind, executor] of NODE_REGISTRY) expect(executor.kind).toBe(kind);
  });
});
