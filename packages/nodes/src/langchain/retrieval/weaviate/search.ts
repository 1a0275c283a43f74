import { type FoundDocument, type NodeContext, NodeFailure } from '@weft/engine';
import { field, type Json, type JsonObject, objectField, textField } from '@weft/node-catalogue';
import { booleanParameter, choiceParameter, numberParameter, textParameter } from '../../../shared/read-parameter';
import { vectorJson } from '../vector-store/batches';
import type { StoreSearch } from '../vector-store/store-backend';
import { objectOption } from '../vector-store/store-parameters';
import { objectsIn } from '../vector-store/store-service';
import { askWeaviate, type Collection, collectionOf, isName, propertiesOf } from './weaviate-service';
import { needsTypes, type PropertyTypes, whereArgument } from './where-filter';

const MAX_NAMES = 200;

/** The closest documents of a collection. @throws NodeFailure */
export async function searchCollection(
  context: NodeContext,
  itemIndex: number,
  search: StoreSearch,
): Promise<FoundDocument[]> {
  const collection = collectionOf(context, itemIndex);
  const hybrid = textParameter(context, 'options.hybridQuery', itemIndex);
  const explains = hybrid !== '' && booleanParameter(context, 'options.hybridExplainScore', itemIndex, false);
  const filter = objectOption(context, 'options.searchFilterJson', itemIndex, 'Search filters') ?? {};
  const keys = metadataKeys(context, itemIndex);
  const types: PropertyTypes =
    keys.length === 0 || needsTypes(filter) ? await propertiesOf(context, itemIndex, collection) : new Map();
  const names = new Set([collection.textKey, ...(keys.length > 0 ? keys : [...types.keys()]).slice(0, MAX_NAMES)]);
  const facts = hybrid === '' ? 'id distance' : `id score${explains ? ' explainScore' : ''}`;
  const given = [...argumentsOf(context, itemIndex, search, hybrid), ...shared(filter, types, collection, itemIndex)];
  const query =
    `{ Get { ${collection.name}(${given.join(', ')}) ` + `{ ${[...names].join(' ')} _additional { ${facts} } } } }`;
  const answer = await askWeaviate(context, itemIndex, collection, { path: '/v1/graphql', body: { query } });
  const [failed] = objectsIn(field(answer, 'errors'));
  if (failed !== undefined)
    throw new NodeFailure((textField(failed, 'message') ?? 'The service refused the query').slice(0, 1_000), {
      itemIndex,
      description: 'Check the options of the node, and that the vectors have the length of those in the collection.',
    });
  return objectsIn(field(field(field(answer, 'data'), 'Get'), collection.name)).map((one) =>
    foundDocument(one, collection, hybrid === '' ? 'distance' : 'score', explains),
  );
}

/** The properties that the node asks for. */
const metadataKeys = (context: NodeContext, itemIndex: number): readonly string[] =>
  textParameter(context, 'options.metadataKeys', itemIndex)
    .split(',')
    .map((key) => key.trim())
    .filter(isName);

/** Arguments of the search by vectors, or by vectors and words. */
function argumentsOf(
  context: NodeContext,
  itemIndex: number,
  { vector, limit }: StoreSearch,
  query: string,
): readonly string[] {
  const near = `vector: ${vectorJson(vector)}`;
  if (query === '') return [`nearVector: {${near}}`, `limit: ${limit}`];
  const optional = (name: string): number | undefined => {
    const value = context.parameter(`options.${name}`, itemIndex);
    return value === undefined || value === null || value === ''
      ? undefined
      : numberParameter(context, `options.${name}`, itemIndex);
  };
  const fusion = choiceParameter(
    context,
    'options.fusionType',
    itemIndex,
    ['RelativeScore', 'Ranked'],
    'RelativeScore',
  );
  const [distance, groups] = [optional('maxVectorDistance'), optional('autoCutLimit')];
  const properties = textParameter(context, 'options.queryProperties', itemIndex)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const parts = [
    `query: ${JSON.stringify(query)}`,
    near,
    `alpha: ${numberParameter(context, 'options.alpha', itemIndex, 0.5)}`,
    `fusionType: ${fusion === 'Ranked' ? 'rankedFusion' : 'relativeScoreFusion'}`,
    ...(properties.length === 0 ? [] : [`properties: ${JSON.stringify(properties)}`]),
    ...(distance === undefined || distance === 0 ? [] : [`maxVectorDistance: ${distance}`]),
  ];
  return [
    `hybrid: {${parts.join(', ')}}`,
    `limit: ${limit}`,
    ...(groups === undefined ? [] : [`autocut: ${Math.floor(groups)}`]),
  ];
}

const shared = (
  filter: JsonObject,
  types: PropertyTypes,
  { tenant }: Collection,
  itemIndex: number,
): readonly string[] => [
  ...(Object.keys(filter).length === 0 ? [] : [`where: ${whereArgument(filter, types, itemIndex)}`]),
  ...(tenant === '' ? [] : [`tenant: ${JSON.stringify(tenant)}`]),
];

/** @param scored the fact that is the score */
function foundDocument(
  one: JsonObject,
  { textKey }: Collection,
  scored: 'distance' | 'score',
  explains: boolean,
): FoundDocument {
  const { [textKey]: content, _additional: _facts, ...properties } = one;
  const facts = objectField(one, '_additional');
  const id = textField(facts, 'id');
  const set = Object.entries(properties).filter((entry): entry is [string, Json] => entry[1] !== null);
  const explained = explains ? textField(facts, 'explainScore') : undefined;
  return {
    ...(id === undefined ? {} : { id }),
    pageContent: typeof content === 'string' ? content : '',
    metadata: { ...Object.fromEntries(set), ...(explained === undefined ? {} : { explainScore: explained }) },
    score: Number(field(facts, scored) ?? 0) || 0,
  };
}
