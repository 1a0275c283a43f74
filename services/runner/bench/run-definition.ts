import { KIND_TABLE } from '@weft/nodes/descriptors';
import type { JsonObject } from '@weft/node-catalogue';
import { readDefinition } from '@weft/node-catalogue';
import { initialState, type Item, prepareWorkflow, type RunDeps, runWorkflow } from '@weft/engine';

/** Runs a workflow from its first node to its end. @throws Error with the node's message if it fails */
export const runDefinition = async (definition: JsonObject, input: readonly Item[], deps: RunDeps): Promise<void> => {
  const workflow = prepareWorkflow(readDefinition(definition), KIND_TABLE);
  const start = readDefinition(definition).nodes[0]?.name ?? '';
  const { outcome } = await runWorkflow(
    {
      workflow,
      workflowId: 'w1',
      workflowActive: true,
      executionId: 'e1',
      mode: 'manual',
      input,
      state: initialState(start),
      records: new Map(),
      usePinData: false,
      signal: new AbortController().signal,
    },
    deps,
    { onNodeRun: () => undefined, stopRequested: () => undefined },
  );
  if (outcome.kind !== 'success')
    throw new Error(outcome.kind === 'error' ? outcome.error.message : `The run ended as ${outcome.kind}.`);
};

/** A node of a measured workflow. */
export const benchNode = (
  name: string,
  kind: string,
  parameters: JsonObject = {},
  typeVersion?: number,
): JsonObject => ({
  name,
  type: `weft-nodes-base.${kind}`,
  position: [0, 0],
  parameters,
  ...(typeVersion === undefined ? {} : { typeVersion }),
});
