import { NodeFailure } from '@weft/engine';

/** Characters of an answer in a message. */
const EXCERPT = 500;
/** Name of the reason among the facts of the failure, as in n8n. */
const REASON = 'outputParserFailReason';

/** An answer of a model that has another form than was asked for. The message says why, to the model too. */
export class Misfit extends Error {}

/** The failure of the node for an answer that does not fit. Other values are returned unchanged. */
export function failureOfMisfit(thrown: unknown, text: string, itemIndex: number): unknown {
  if (!(thrown instanceof Misfit)) return thrown;
  const begins = text.length === 0 ? '' : ` The answer begins: ${text.slice(0, EXCERPT)}`;
  // The words of n8n: workflows match on them.
  return new NodeFailure("Model output doesn't fit required format", {
    itemIndex,
    description: `${thrown.message}${begins}`,
    context: { [REASON]: thrown.message },
    cause: thrown,
  });
}

/** Why the answer of a failure did not fit; undefined for any other failure. */
export function misfitOf(thrown: unknown): string | undefined {
  if (thrown instanceof Misfit) return thrown.message;
  return thrown instanceof NodeFailure && thrown.cause instanceof Misfit ? thrown.cause.message : undefined;
}
