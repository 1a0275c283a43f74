import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@weft/node-catalogue';
import { describeKind, KINDS } from '../descriptors/kinds';
import { openFormats } from '../shared/file-formats/open-formats';
import { openCode } from '../testing/open-code';
import { type CaseServer, startCaseServer } from '../testing/case-server';
import { memoryFiles } from '@weft/engine/testing';
import type { CaseFile, KindCases, NodeCase } from '../testing/node-case';
import { type KindRun, runKind } from '../testing/run-kind';
import { stateDefaults } from '../testing/state-defaults';
import { NODE_REGISTRY } from './index';

/** The cases of all kinds: exports of `cases.ts` in the folder of each. */
const ALL = findCases(join(__dirname, '..'));
const casesOf = (kind: string): readonly NodeCase[] =>
  ALL.filter((one) => one.kind === kind).flatMap(({ cases }) => cases);
const hasItemsOut = ({ gives, fails }: NodeCase, outputs: number): boolean =>
  outputs === 0 ? fails !== undefined : gives?.some((items) => items.length > 0) === true;
const hasItemsIn = ({ run }: NodeCase): boolean =>
  typeof run === 'function' || run.items !== undefined || run.inputs !== undefined;

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

describe('the cases', () => {
  it.each(KINDS.filter((one) => one.neverRuns !== true).map((one) => [one.kind, one] as const))(
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
        expect([kind, one.it, one.gives ?? one.fails ?? one.files ?? one.answers ?? one.sends]).not.toContain(
          undefined,
        );
      }
    }
  });
});

describe.each(ALL.map((one): [string, KindCases] => [one.kind, one]))('%s', (kind, { cases }) => {
  const rows = cases.flatMap((one) =>
    one.versions.map((version): [number, string, NodeCase] => [version, one.it, one]),
  );
  it.each(rows)('%s %s', (version, _promise, one) => keeps(kind, version, one, (parameters) => parameters));

  // A default in the catalogue must be the value that applies without it, in collections and entries too.
  it.each(rows)('%s with every default stated %s', (version, _promise, one) =>
    keeps(kind, version, one, (parameters) => withDefaults(kind, version, parameters)),
  );
});

function withDefaults(kind: string, version: number, parameters: JsonObject): JsonObject {
  const descriptor = describeKind(kind);
  return descriptor === undefined ? parameters : stateDefaults(parameters, descriptor, version);
}

/** Runs a case and compares the result with its promises. */
async function keeps(
  kind: string,
  version: number,
  one: NodeCase,
  change: (parameters: JsonObject) => JsonObject,
): Promise<void> {
  server.answerWith(one.serverAnswers);
  const files = memoryFiles();
  const wanted = typeof one.run === 'function' ? one.run({ url: server.url }) : one.run;
  const binary = await storeFiles(files, one.withFiles ?? {});
  const before: unknown = JSON.parse(JSON.stringify(wanted.inputs ?? [wanted.items ?? [{}]]));
  const run = {
    http: server.http,
    code: pool,
    formats: formats.of('owner'),
    files,
    ...(one.withFiles === undefined ? {} : { binary }),
    ...wanted,
    parameters: change(wanted.parameters ?? {}),
    version,
  };
  const { outputs, items, error, answers, given } = await runKind(kind, run);
  if (one.fails === undefined) expect(error).toBeUndefined();
  else expect(error?.message).toContain(one.fails);
  if (one.gives !== undefined) expect(outputs).toEqual(one.gives);
  // The input of a node is shared: it must not have changed.
  if (wanted.isStart !== true && wanted.after === undefined) expect(given).toEqual(before);
  if (one.pairs !== undefined) expect(items.map((list) => list.map((item) => item.pairedItem))).toEqual(one.pairs);
  if (one.files !== undefined)
    expect(await Promise.all((items[0] ?? []).map((item) => contentOf(files, item.binary ?? {})))).toEqual(one.files);
  if (one.answers !== undefined) expect(answers[0]).toMatchObject(one.answers);
  if (one.sends !== undefined) expect(server.last()).toMatchObject(one.sends);
}

type Files = ReturnType<typeof memoryFiles>;
type References = NonNullable<KindRun['binary']>;

async function storeFiles(files: Files, wanted: Readonly<Record<string, CaseFile>>): Promise<References> {
  const stored = await Promise.all(
    Object.entries(wanted).map(
      async ([field, { content, fileName, mimeType = 'text/plain' }]) =>
        [
          field,
          await files.store(Buffer.from(content), { mimeType, ...(fileName === undefined ? {} : { fileName }) }),
        ] as const,
    ),
  );
  return Object.fromEntries(stored);
}

async function contentOf(files: Files, binary: References): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(
      Object.entries(binary).map(
        async ([field, reference]) => [field, Buffer.from(await files.read(reference)).toString()] as const,
      ),
    ),
  );
}

function findCases(folder: string): KindCases[] {
  return readdirSync(folder)
    .map((kind) => join(folder, kind, 'cases.js'))
    .filter(existsSync)
    .flatMap(load);
}

function load(path: string): KindCases[] {
  const exported: unknown = require(path);
  return typeof exported === 'object' && exported !== null ? Object.values(exported).filter(isKindCases) : [];
}

function isKindCases(value: unknown): value is KindCases {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && 'cases' in value && Array.isArray(value.cases)
  );
}

describe('the registry', () => {
  it('runs exactly the kinds that the catalogue describes', () => {
    expect([...NODE_REGISTRY.keys()].sort()).toEqual(KINDS.map((one) => one.kind).sort());
  });

  it('names every executor by its kind', () => {
    for (const [kind, executor] of NODE_REGISTRY) expect(executor.kind).toBe(kind);
  });
});
