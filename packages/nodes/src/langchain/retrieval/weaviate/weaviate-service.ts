import { type NodeContext, NodeFailure } from '@weft/engine';
import { field, type Json, type JsonObject, listField, numberField, textField } from '@weft/node-catalogue';
import { textParameter } from '../../../shared/read-parameter';
import { resourceName } from '../vector-store/store-parameters';
import { askStore, objectsIn, storeService, type StoreRequest } from '../vector-store/store-service';

const WEAVIATE = storeService({
  credentialType: 'weaviateApi',
  addressField: 'weaviate_cloud_endpoint',
  address: '',
  readAddress,
});

/** Names that GraphQL allows. */
const NAME = /^[_A-Za-z]\w*$/;
/** Types of properties that have a plain value. */
const PLAIN_TYPES: readonly string[] = ['text', 'string', 'int', 'number', 'boolean', 'date', 'uuid'];

/** A collection, as the parameters of a node name it. */
export interface Collection {
  readonly name: string;
  readonly textKey: string;
  /** Empty for a collection without tenants. */
  readonly tenant: string;
}

/** @throws NodeFailure for a name that a collection cannot have */
export function collectionOf(context: NodeContext, itemIndex: number): Collection {
  const given = resourceName(context, 'weaviateCollection', itemIndex, 'Collection');
  const textKey = textParameter(context, 'options.textKey', itemIndex) || 'text';
  for (const name of [given, textKey])
    if (!NAME.test(name))
      throw new NodeFailure(`"${name.slice(0, 100)}" is not a name of a collection or a property of Weaviate`, {
        itemIndex,
        description: 'Use letters, digits and underscores; the first must not be a digit.',
      });
  // as Weaviate itself does
  const name = given.charAt(0).toUpperCase() + given.slice(1);
  return { name, textKey, tenant: textParameter(context, 'options.tenant', itemIndex) };
}

/** Sends a request to the server of the credential. @throws NodeFailure */
export const askWeaviate = (
  context: NodeContext,
  itemIndex: number,
  { name }: Collection,
  request: Pick<StoreRequest, 'method' | 'path' | 'body'>,
): Promise<Json> => askStore(context, WEAVIATE, { ...request, itemIndex, missing: `Collection ${name} not found` });

/**
 * Types of the properties of a collection that have plain values, by their names.
 * @throws NodeFailure if there is no collection
 */
export async function propertiesOf(
  context: NodeContext,
  itemIndex: number,
  collection: Collection,
): Promise<ReadonlyMap<string, string>> {
  const schema = await askWeaviate(context, itemIndex, collection, {
    method: 'GET',
    path: `/v1/schema/${collection.name}`,
  });
  return new Map(
    objectsIn(field(schema, 'properties')).flatMap((property): [string, string][] => {
      const [declared] = listField(property, 'dataType');
      const name = textField(property, 'name') ?? '';
      const type = typeof declared === 'string' ? declared.replace(/\[\]$/, '') : '';
      return PLAIN_TYPES.includes(type) && NAME.test(name) ? [[name, type]] : [];
    }),
  );
}

/** True for a name that GraphQL allows. */
export const isName = (name: string): boolean => NAME.test(name);

/** The address in a credential: of a cluster in the cloud, or of a server. */
function readAddress(credential: JsonObject): string | undefined {
  const cloud = textField(credential, 'weaviate_cloud_endpoint')?.trim() ?? '';
  if (cloud !== '') return /^https?:\/\//i.test(cloud) ? cloud : `https://${cloud}`;
  const host = textField(credential, 'custom_connection_http_host')?.trim() ?? '';
  const port = numberField(credential, 'custom_connection_http_port') ?? 8080;
  const protocol = credential['custom_connection_http_secure'] === true ? 'https' : 'http';
  return host === '' ? undefined : `${protocol}://${host}:${port}`;
}
