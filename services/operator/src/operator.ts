import type { RunningService } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { OperatorConfig } from './config';
import { createController } from './controller/controller';
import { ADOPT, type Metadata, type WeftApp, type WeftCredential, type WeftWorkflow } from './domain/objects';
import { createApiClient } from './kubernetes/api-client';
import { listAndWatch } from './kubernetes/list-and-watch';
import { createObjects, PLURALS } from './kubernetes/objects';
import { createWeftCalls } from './weft/weft-calls';

/** Metadata without `managedFields`, labels and other members that the operator does not need. */
const reduceMetadata = (metadata: Metadata): Metadata => {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp } = metadata;
  const { deletionTimestamp, finalizers, annotations } = metadata;
  const adopt = annotations?.[ADOPT];
  return {
    name,
    namespace,
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(finalizers === undefined ? {} : { finalizers }),
    ...(adopt === undefined ? {} : { annotations: { [ADOPT]: adopt } }),
  };
};

/** A workflow without its definition, which may have 1.5 MB. */
const reduceWorkflow = ({ metadata, spec, status }: WeftWorkflow): WeftWorkflow => {
  const { definition: _, ...rest } = spec;
  return { metadata: reduceMetadata(metadata), spec: rest, ...(status === undefined ? {} : { status }) };
};

const reduceCredential = ({ metadata, spec, status }: WeftCredential): WeftCredential => ({
  metadata: reduceMetadata(metadata),
  spec,
  ...(status === undefined ? {} : { status }),
});

/** An app without its text, which may have 512 KB. */
const reduceApp = ({ metadata, spec, status }: WeftApp): WeftApp => {
  const { app: _, ...rest } = spec;
  return { metadata: reduceMetadata(metadata), spec: rest, ...(status === undefined ? {} : { status }) };
};

/** Starts the operator. It is ready once it has listed all objects. */
export const createOperator = (config: OperatorConfig, logger: Logger): RunningService => {
  const { weftUrl, webhookUrl, clusterName, watchNamespaces, resyncMs, keyPollMs } = config;
  const { apiServerHost, apiServerPort, serviceAccountFolder } = config;
  const server = { host: apiServerHost, port: apiServerPort, folder: serviceAccountFolder };
  const client = createApiClient(server);
  const controller = createController({
    cluster: clusterName,
    publicUrl: (webhookUrl === '' ? weftUrl : webhookUrl).replace(/\/$/, ''),
    resyncMs,
    keyPollMs,
    logger,
    connect: (apiKey) => createWeftCalls(weftUrl, apiKey),
    objects: createObjects(client, (err) => logger.warn({ err }, 'an event could not be recorded')),
  });
  const namespaces = watchNamespaces.length === 0 ? [undefined] : watchNamespaces;
  const watches = namespaces.flatMap((namespace) => [
    listAndWatch({
      client,
      logger,
      namespace,
      plural: PLURALS.WeftWorkflow,
      reduce: reduceWorkflow,
      ...controller.workflowHandlers,
    }),
    listAndWatch({
      client,
      logger,
      namespace,
      plural: PLURALS.WeftCredential,
      reduce: reduceCredential,
      ...controller.credentialHandlers,
    }),
    listAndWatch({
      client,
      logger,
      namespace,
      plural: PLURALS.WeftApp,
      reduce: reduceApp,
      ...controller.appHandlers,
    }),
  ]);
  return {
    port: 0,
    health: {
      isLive: controller.isAlive,
      isReady: () => Promise.resolve(watches.every((watch) => watch.hasListed())),
    },
    stop: async () => {
      await Promise.all(watches.map((watch) => watch.stop()));
      await controller.stop();
      client.close();
    },
  };
};
