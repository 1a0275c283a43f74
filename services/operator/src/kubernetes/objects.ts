import { isObject, type JsonObject } from '@weft/apply';
import type { ObjectEvent, SourceFact } from '../domain/facts';
import {
  API_VERSION,
  FINALIZER,
  hasFinalizer,
  type ConfigMapKey,
  type Kind,
  type Metadata,
  type WeftApp,
  type WeftWorkflow,
} from '../domain/objects';
import type { ChangedSource } from '../domain/ports';
import { ApiError, type ApiClient } from './api-client';

/** Field manager of everything that the operator writes. */
export const FIELD_MANAGER = 'weft-operator';

export const PLURALS: Readonly<Record<Kind, string>> = {
  WeftWorkflow: 'weftworkflows',
  WeftCredential: 'weftcredentials',
  WeftApp: 'weftapps',
};

/** A Secret or a ConfigMap. */
interface DataObject {
  readonly metadata: { readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
}

/** A text that an object has or refers to. */
export type ReferencedText =
  | { readonly state: 'found'; readonly text: string; readonly version: string }
  | { readonly state: 'missing'; readonly message: string };

/** Text values of a Secret, and its version. */
export interface SecretValues {
  readonly version: string;
  readonly values: ReadonlyMap<string, string>;
}

const METADATA_ONLY = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const MAX_EVENTS = 2_000;
const EVENT_PAUSE_MS = 300_000;

const unlessStatus = async <Value>(work: Promise<Value>, ...statuses: number[]): Promise<Value | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError && statuses.includes(error.status)) return undefined;
    throw error;
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads and writes objects of the cluster, as far as the roles of the operator permit. */
export const createObjects = (client: ApiClient, onEventFailure: (error: unknown) => void) => {
  /** When an event was last recorded, by object and reason. */
  const recorded = new Map<string, number>();

  const pathOf = (kind: Kind, { namespace, name }: Pick<Metadata, 'namespace' | 'name'>): string =>
    `/apis/${API_VERSION}/namespaces/${namespace}/${PLURALS[kind]}/${name}`;

  const get = <Found>(path: string): Promise<Found | undefined> =>
    unlessStatus(client.send<Found>({ method: 'GET', path }), 404);

  const readConfigMap = async (namespace: string, name: string): Promise<DataObject | undefined> =>
    get<DataObject>(`/api/v1/namespaces/${namespace}/configmaps/${name}`);

  const textOfConfigMap = async (namespace: string, { name, key }: ConfigMapKey): Promise<ReferencedText> => {
    const map = await readConfigMap(namespace, name);
    if (map === undefined) return { state: 'missing', message: `The ConfigMap ${name} does not exist.` };
    const text = map.data?.[key];
    if (text === undefined) return { state: 'missing', message: `The ConfigMap ${name} has no key ${key}.` };
    return { state: 'found', text, version: map.metadata.resourceVersion };
  };

  const sourceOfConfigMap = async (namespace: string, reference: ConfigMapKey): Promise<SourceFact> => {
    const found = await textOfConfigMap(namespace, reference);
    if (found.state === 'missing') return found;
    const { name, key } = reference;
    const definition = parsed(found.text);
    if (!isObject(definition))
      return { state: 'missing', message: `The key ${key} of the ConfigMap ${name} is not a JSON object.` };
    return { state: 'found', source: { version: found.version, definition } };
  };

  return {
    /** The definition of a workflow: read for each reconciliation that needs it, and not kept. */
    readSource: async (object: WeftWorkflow): Promise<SourceFact | ChangedSource> => {
      const { metadata, spec } = object;
      if (spec.definitionFrom !== undefined)
        return sourceOfConfigMap(metadata.namespace, spec.definitionFrom.configMapKeyRef);
      const read = await get<WeftWorkflow>(pathOf('WeftWorkflow', metadata));
      const definition: JsonObject | undefined = read?.spec.definition;
      if (read === undefined || definition === undefined)
        return { state: 'missing', message: 'The object does not exist any more.' };
      if (read.metadata.generation !== metadata.generation) return { state: 'changed' };
      return { state: 'found', source: { version: String(read.metadata.generation), definition } };
    },

    /** The text of an app: read for each reconciliation that needs it, and not kept. */
    readAppText: async ({ metadata, spec }: WeftApp): Promise<ReferencedText | ChangedSource> => {
      if (spec.appFrom !== undefined) return textOfConfigMap(metadata.namespace, spec.appFrom.configMapKeyRef);
      const read = await get<WeftApp>(pathOf('WeftApp', metadata));
      const text = read?.spec.app;
      if (read === undefined || text === undefined)
        return { state: 'missing', message: 'The object does not exist any more.' };
      if (read.metadata.generation !== metadata.generation) return { state: 'changed' };
      return { state: 'found', text, version: String(read.metadata.generation) };
    },

    /** @returns undefined: the object is gone, or was changed since it was read */
    setFinalizer: async (kind: Kind, metadata: Metadata, isSet: boolean): Promise<Metadata | undefined> => {
      if (hasFinalizer(metadata) === isSet) return metadata;
      const others = (metadata.finalizers ?? []).filter((one) => one !== FINALIZER);
      const finalizers = isSet ? [...others, FINALIZER] : others;
      const changed = await unlessStatus(
        client.send<{ readonly metadata: Metadata }>({
          method: 'PATCH',
          path: `${pathOf(kind, metadata)}?fieldManager=${FIELD_MANAGER}`,
          contentType: 'application/merge-patch+json',
          body: { metadata: { uid: metadata.uid, resourceVersion: metadata.resourceVersion, finalizers } },
        }),
        404,
        409,
      );
      return changed?.metadata;
    },

    /** Writes the whole status, by server-side apply. An object that was replaced by another is left alone. */
    writeStatus: async (kind: Kind, { namespace, name, uid }: Metadata, status: object): Promise<void> => {
      await unlessStatus(
        client.send({
          method: 'PATCH',
          path: `${pathOf(kind, { namespace, name })}/status?fieldManager=${FIELD_MANAGER}&force=true`,
          contentType: 'application/apply-patch+yaml',
          body: { apiVersion: API_VERSION, kind, metadata: { name, uid }, status },
        }),
        404,
        409,
      );
    },

    /** Records an event, at most one for each object and reason in five minutes. Failures are reported, not thrown. */
    recordEvent: (kind: Kind, metadata: Metadata, event: ObjectEvent): void => {
      const { namespace, name, uid } = metadata;
      const id = `${uid} ${event.reason}`;
      const now = performance.now();
      if (now - (recorded.get(id) ?? Number.NEGATIVE_INFINITY) < EVENT_PAUSE_MS) return;
      recorded.delete(id);
      recorded.set(id, now);
      const [oldest] = recorded.keys();
      if (recorded.size > MAX_EVENTS && oldest !== undefined) recorded.delete(oldest);
      const time = new Date().toISOString();
      client
        .send({
          method: 'POST',
          path: `/api/v1/namespaces/${namespace}/events`,
          body: {
            metadata: { generateName: `${name}.`, namespace },
            involvedObject: { apiVersion: API_VERSION, kind, namespace, name, uid },
            ...event,
            message: event.message.slice(0, 1_000),
            source: { component: FIELD_MANAGER },
            firstTimestamp: time,
            lastTimestamp: time,
            count: 1,
          },
        })
        .catch(onEventFailure);
    },

    /**
     * Values of a Secret. @returns undefined: it does not exist, or the namespace does not let the operator read it
     */
    readSecret: async (namespace: string, name: string): Promise<SecretValues | undefined> => {
      const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
      const secret = await unlessStatus(client.send<DataObject>({ method: 'GET', path }), 403, 404);
      if (secret === undefined) return undefined;
      const decode = (text: string): string => Buffer.from(text, 'base64').toString('utf8');
      const values = Object.entries(secret.data ?? {}).map(([key, text]) => [key, decode(text)] as const);
      return { version: secret.metadata.resourceVersion, values: new Map(values) };
    },

    /** Version of a Secret, without its values. */
    readSecretVersion: async (namespace: string, name: string): Promise<string | undefined> => {
      const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
      const secret = await unlessStatus(
        client.send<DataObject>({ method: 'GET', path, accept: METADATA_ONLY }),
        403,
        404,
      );
      return secret?.metadata.resourceVersion;
    },
  };
};

export type Objects = ReturnType<typeof createObjects>;
