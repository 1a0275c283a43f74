import { NodeFailure } from '@weft/engine';
import { runInPieces, runTest, type TestNode, type TestResult, type TestRun } from '@weft/engine/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { KIND_TABLE } from '../../descriptors/kinds';
import { NODE_REGISTRY } from '../../executors';
import { type ModelScript, scriptedModel, type ScriptedModel } from './scripted-model';

/** A sub-node of a real kind. */
export interface SubNode {
  /** Without `langchain.`. */
  readonly kind: string;
  readonly version?: number;
  readonly parameters?: JsonObject;
}

/** A root node `Root` with its sub-nodes, run for items. */
export interface RootRun {
  /** Without `langchain.`. */
  readonly kind: string;
  readonly version?: number;
  readonly parameters?: JsonObject;
  /** Further fields of the node, such as `onError`. */
  readonly node?: JsonObject;
  readonly items?: readonly JsonObject[];
  /** Scripts of the models `Model 0`, `Model 1` and so on, on the inputs of these numbers. */
  readonly models?: readonly ModelScript[];
  /** A parser `Parser`. */
  readonly parser?: SubNode;
  /** Models and parsers of the parser: `Parser model` and `Inner parser`. */
  readonly parserModel?: ModelScript;
  readonly innerParser?: SubNode;
  readonly more?: Partial<TestRun>;
}

/** Result of a root node, with the calls of its models. */
export interface RootResult extends TestResult {
  readonly models: readonly ScriptedModel[];
  readonly parserModel: ScriptedModel;
}

const TYPE = '@n8n/n8n-nodes-langchain.';

/** Runs a root of a real kind with scripted models on the real engine. */
export async function runRoot(run: RootRun): Promise<RootResult> {
  const { test, models, parserModel } = testOf(run);
  return { ...(await runTest(test)), models, parserModel };
}

/** The same, but the run moves to another process after every step. */
export async function runRootInPieces(run: RootRun): Promise<RootResult> {
  const { test, models, parserModel } = testOf(run);
  return { ...(await runInPieces(test)), models, parserModel };
}

/** The workflow of a run, for tests that run it themselves. */
export function testOf({
  kind,
  version,
  parameters = {},
  node = {},
  items = [{}],
  models: scripts = [{ answers: [''] }],
  parser,
  parserModel: parserScript,
  innerParser,
  more = {},
}: RootRun): {
  readonly test: TestRun;
  readonly models: readonly ScriptedModel[];
  readonly parserModel: ScriptedModel;
} {
  const models = scripts.map(scriptedModel);
  const parserModel = scriptedModel(parserScript ?? { answers: [''] });
  const executor = NODE_REGISTRY.get(`langchain.${kind}`);
  const nodes: TestNode[] = [
    ['Start', 'start'],
    ['Root', 'root', { ...typed({ kind, parameters, ...(version === undefined ? {} : { version }) }), ...node }],
    ...models.map((_, index): TestNode => [`Model ${index}`, `model${index}`]),
    ...(parser === undefined ? [] : [['Parser', 'parser', typed(parser)] as const]),
    ...(innerParser === undefined ? [] : [['Inner parser', 'parser', typed(innerParser)] as const]),
    ...(parserScript === undefined ? [] : [['Parser model', 'parserModel'] as const]),
  ];
  const links = [
    'Start>Root',
    ...models.map((_, index) => `Model ${index}>Root:${index}@ai_languageModel`),
    ...(parser === undefined ? [] : ['Parser>Root@ai_outputParser']),
    ...(innerParser === undefined ? [] : ['Inner parser>Parser@ai_outputParser']),
    ...(parserScript === undefined ? [] : ['Parser model>Parser@ai_languageModel']),
  ];
  if (executor === undefined) throw new NodeFailure(`There is no kind ${kind}`);
  return {
    models,
    parserModel,
    test: {
      nodes,
      links,
      kinds: KIND_TABLE,
      input: items,
      executors: {
        ...Object.fromEntries(NODE_REGISTRY),
        start: ({ items: given }) => ({
          kind: 'items',
          outputs: [given.map(({ json }, item) => ({ json, pairedItem: { item } }))],
        }),
        parserModel: parserModel.executor,
        ...Object.fromEntries(models.map((one, index) => [`model${index}`, one.executor])),
      },
      ...more,
    },
  };
}

function typed({ kind, version, parameters = {} }: SubNode): JsonObject {
  return { type: `${TYPE}${kind}`, parameters, ...(version === undefined ? {} : { typeVersion: version }) };
}
