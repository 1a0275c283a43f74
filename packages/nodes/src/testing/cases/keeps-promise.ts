import type { JsonObject } from '@weft/node-catalogue';
import { memoryFiles } from '@weft/engine/testing';
import { describeKind } from '../../descriptors/kinds';
import type { CaseFile, NodeCase } from './node-case';
import { type KindRun, runKind } from './run-kind';
import { stateDefaults } from './state-defaults';

/** Environment of a case. */
export interface CaseGiven {
  /** URL of the local server. */
  readonly url: string;
  /** True: every default of the descriptor is written out, which must not change the result. */
  readonly explicit: boolean;
  /** Ports of the node, unless the case sets them. */
  readonly ports: Omit<KindRun, 'version' | 'parameters' | 'items'>;
  /** The last request that the local server received. */
  readonly last?: () => unknown;
}

function withDefaults(kind: string, version: number, parameters: JsonObject): JsonObject {
  const descriptor = describeKind(kind);
  return descriptor === undefined ? parameters : stateDefaults(parameters, descriptor, version);
}

/** Runs a case and checks its expectations. Call it in a test. */
export async function keepsPromise(kind: string, version: number, one: NodeCase, given: CaseGiven): Promise<void> {
  const files = memoryFiles();
  const wanted = typeof one.run === 'function' ? one.run({ url: given.url }) : one.run;
  const binary = await storeFiles(files, one.withFiles ?? {});
  const before: unknown = JSON.parse(JSON.stringify(wanted.inputs ?? [wanted.items ?? [{}]]));
  const run = {
    ...given.ports,
    files,
    ...(one.withFiles === undefined ? {} : { binary }),
    ...wanted,
    node: { ...given.ports.node, ...wanted.node },
    parameters: given.explicit ? withDefaults(kind, version, wanted.parameters ?? {}) : (wanted.parameters ?? {}),
    version,
  };
  const { outputs, items, error, answers, wait, given: inputs } = await runKind(kind, run);
  if (one.fails === undefined) expect(error).toBeUndefined();
  else expect(error?.message).toContain(one.fails);
  if (one.gives !== undefined) expect(outputs).toEqual(one.gives);
  // The input of a node is shared, so it must not have changed.
  if (wanted.isStart !== true && wanted.after === undefined) expect(inputs).toEqual(before);
  if (one.pairs !== undefined) expect(items.map((list) => list.map((item) => item.pairedItem))).toEqual(one.pairs);
  if (one.files !== undefined)
    expect(await Promise.all((items[0] ?? []).map((item) => contentOf(files, item.binary ?? {})))).toEqual(one.files);
  if (one.waits !== undefined) expect(wait).toMatchObject(one.waits);
  if (one.answers !== undefined) expect(answers[0]).toMatchObject(one.answers);
  if (one.sends !== undefined) expect(given.last?.()).toMatchObject(one.sends);
}

type Files = ReturnType<typeof memoryFiles>;
type References = NonNullable<KindRun['binary']>;

/** Stores the files of a case and returns references for its items. */
export async function storeFiles(files: Files, wanted: Readonly<Record<string, CaseFile>>): Promise<References> {
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
