import { type LanguageModel, type NodeContext, NodeFailure } from '@weft/engine';
import { type ChatCall, type ChatResult, ModelError } from '@weft/models';

/** The models of a node: the second one is called if the first fails. */
export interface Models {
  /** True if all of them enforce schemas. */
  readonly enforcesSchema: boolean;
  /** True if the settings of the first make it answer with JSON. */
  readonly answersJson: boolean;
  /** @throws NodeFailure of the last model that was called */
  call(call: ChatCall): Promise<ChatResult>;
}

/**
 * The models that are attached to a node, for one item.
 * @param needsFallback true if the node calls a second model after a failure of the first
 * @throws NodeFailure that names a missing one
 */
export async function modelsOf(context: NodeContext, itemIndex: number, needsFallback = false): Promise<Models> {
  const all = await context.attached('ai_languageModel', itemIndex);
  const first = all.find(({ port }) => port === 0) ?? all[0];
  const second = all.find((one) => one !== first);
  if (first === undefined) throw missing(context, itemIndex, 'a model', 'Model');
  if (!needsFallback) return { ...factsOf([first.handle]), call: (call) => first.handle.call(call) };
  if (second === undefined) throw missing(context, itemIndex, 'a fallback model', 'Fallback model');
  return {
    ...factsOf([first.handle, second.handle]),
    call: async (call) => {
      try {
        return await first.handle.call(call);
      } catch (thrown) {
        if (context.signal.aborted || isBadRequest(thrown)) throw thrown;
        return second.handle.call(call);
      }
    },
  };
}

function factsOf(models: readonly LanguageModel[]): Pick<Models, 'enforcesSchema' | 'answersJson'> {
  return {
    enforcesSchema: models.every((one) => one.enforcesSchema),
    answersJson: models[0]?.answersJson === true,
  };
}

/** True for a request that another model would refuse as well. */
function isBadRequest(thrown: unknown): boolean {
  const cause = thrown instanceof NodeFailure ? thrown.cause : thrown;
  return cause instanceof ModelError && (cause.code === 'BAD_REQUEST' || cause.code === 'UNSUPPORTED');
}

function missing({ node }: NodeContext, itemIndex: number, what: string, input: string): NodeFailure {
  return new NodeFailure(`"${node.name}" has no ${what.replace('a ', '')}`, {
    itemIndex,
    description: `Connect ${what} to its input "${input}".`,
  });
}
