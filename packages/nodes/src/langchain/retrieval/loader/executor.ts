import {
  type DocumentLoader,
  type NodeExecutor,
  NodeFailure,
  type RetrievalDocument,
  type SupplyContext,
} from '@weft/engine';
import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { toJson } from '@weft/expressions';
import { choiceParameter, nameOf, objectsParameter, textParameter } from '../../../shared/read-parameter';
import { subNodeOnly } from '../../parsers/sub-node-only';
import { splitText } from '../../shared/split-text';
import { shownDocuments } from '../shown-documents';
import { documentsOfFile } from './load-file';
import { blob, documentsOfJson } from './load-json';
import { splitDocuments } from './split-documents';

/** Characters of the documents of an item. */
const MAX_CHARACTERS = 4_194_304;
/** Sizes of the simple splitter. */
const SIMPLE = { size: 1_000, overlap: 200 };
const CHOICE_SINCE = 1.1;

/** Makes documents from the item of the root. */
export const documentDefaultDataLoader: NodeExecutor = {
  kind: 'langchain.documentDefaultDataLoader',
  actsOutside: false,
  run: subNodeOnly,
  supplies: { ai_document: recordedLoader },
};

function recordedLoader(context: SupplyContext): DocumentLoader {
  return {
    load: () =>
      context.record({ action: 'processItem', itemIndex: context.itemIndex }, async () => {
        const result = await documentsOf(context);
        return { result, output: { response: shownDocuments(result), documents: result.length } };
      }),
  };
}

async function documentsOf(context: SupplyContext): Promise<RetrievalDocument[]> {
  const { itemIndex } = context;
  const whole =
    choiceParameter(context, 'dataType', itemIndex, ['json', 'binary']) === 'json'
      ? documentsOfItem(context)
      : await documentsOfFiles(context);
  const characters = whole.reduce((sum, { pageContent }) => sum + pageContent.length, 0);
  if (characters > MAX_CHARACTERS)
    throw new NodeFailure(`The documents have ${characters} characters; at most ${MAX_CHARACTERS} can be loaded`, {
      itemIndex,
    });
  const splitter = await splitterOf(context);
  const parts = splitter === undefined ? whole : await splitDocuments(whole, splitter);
  const facts = metadataOf(context);
  return parts
    .filter(({ pageContent }) => pageContent.trim() !== '')
    .map(({ pageContent, metadata }) => ({ pageContent, metadata: { ...metadata, ...facts } }));
}

function documentsOfItem(context: SupplyContext): RetrievalDocument[] {
  const { itemIndex } = context;
  const pointers = textParameter(context, 'options.pointers', itemIndex);
  const mode = choiceParameter(context, 'jsonMode', itemIndex, ['allInputData', 'expressionData']);
  if (mode === 'allInputData') return documentsOfJson(context.items[itemIndex]?.json ?? {}, pointers, itemIndex);
  const data: Json = toJson(context.parameter('jsonData', itemIndex)) ?? null;
  if (isJsonObject(data) || Array.isArray(data)) return documentsOfJson(data, pointers, itemIndex);
  if (data === null || data === '')
    throw new NodeFailure(`"Data" of "${context.node.name}" is empty for this item`, { itemIndex });
  return [{ pageContent: String(data), metadata: blob('text/plain') }];
}

async function documentsOfFiles(context: SupplyContext): Promise<RetrievalDocument[]> {
  const { itemIndex } = context;
  const isOne = choiceParameter(context, 'binaryMode', itemIndex, ['allInputData', 'specificField']) !== 'allInputData';
  const names = isOne
    ? [textParameter(context, 'binaryDataKey', itemIndex, 'data')]
    : Object.keys(context.items[itemIndex]?.binary ?? {});
  if (names.length === 0)
    throw new NodeFailure(`The item has no file for "${context.node.name}"`, {
      itemIndex,
      description: 'Set "Type of data" to JSON, or connect a node that gives files.',
    });
  const documents: RetrievalDocument[] = [];
  for (const name of names) documents.push(...(await documentsOfFile(context, itemIndex, name)));
  return documents;
}

async function splitterOf(
  context: SupplyContext,
): Promise<{ split(text: string): Promise<readonly string[]> } | undefined> {
  const { itemIndex, version } = context;
  const isSimple =
    version >= CHOICE_SINCE &&
    choiceParameter(context, 'textSplittingMode', itemIndex, ['simple', 'custom']) === 'simple';
  if (isSimple) return { split: (text) => Promise.resolve(splitText(text, SIMPLE)) };
  const [supplied] = await context.attached('ai_textSplitter', itemIndex);
  return supplied?.handle;
}

function metadataOf(context: SupplyContext): JsonObject {
  const facts: JsonObject = {};
  for (const { name, value } of objectsParameter(context, 'options.metadata.metadataValues', context.itemIndex)) {
    const key = nameOf(name);
    if (key !== '' && key !== '__proto__') facts[key] = toJson(value) ?? null;
  }
  return facts;
}
