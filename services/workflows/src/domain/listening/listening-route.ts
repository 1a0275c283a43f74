import { routeKey, type WorkflowDefinition } from '@weft/node-catalogue';
import { routesOf, webhookNodes } from '@weft/nodes/descriptors';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Listening } from './listening';

/** Route keys of a listening: they are compared only with those of other listenings. */
export const keysOf = ({ methods, path }: Pick<Listening, 'methods' | 'path'>): string[] =>
  methods.map((method) => routeKey(method, path));

const MAX_SHOWN_NAME = 100;

const invalid = (message: string): InvalidRequest =>
  new InvalidRequest('The workflow cannot wait for this call.', [{ field: 'node', message }]);

/** The address of a webhook of a draft. @throws InvalidRequest if the node cannot be called */
export const listeningRoute = (
  definition: WorkflowDefinition,
  name: string,
  workflowId: string,
): Pick<Listening, 'methods' | 'path'> => {
  const shown = JSON.stringify(name.slice(0, MAX_SHOWN_NAME));
  if (!webhookNodes(definition).some((node) => node.name === name))
    throw invalid(`The workflow has no enabled webhook called ${shown}.`);
  if (Object.hasOwn(definition.pinData, name))
    throw invalid(`The node ${shown} returns its pinned items in place of a call. Remove the pin first.`);
  const routes = routesOf(definition, workflowId).filter(({ node }) => node === name);
  const [first] = routes;
  if (first === undefined) throw invalid(`The node ${shown} has no valid path.`);
  return { path: first.path, methods: routes.map(({ method }) => method) };
};
