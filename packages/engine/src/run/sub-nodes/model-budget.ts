import { type JsonObject, numberField, objectField } from '@weft/node-catalogue';
import { LIMITS, limitSentence } from '@weft/service-kit/limits';
import type { WorkflowDefinition } from '@weft/node-catalogue/definitions';
import { NodeFailure } from '../../node/node-failure';

/** Name of the counts among the state that all nodes of a run share. */
const MEMORY = 'models';

/** Counts of one execution. */
interface Counts {
  modelCalls: number;
  toolCalls: number;
  tokens: number;
}

/**
 * Calls and tokens of models that the nodes of one execution have used, stored with the run, and the limits on them.
 * Counts persist if a node fails: a call that was made is paid for.
 */
export class ModelBudget {
  /** @param runMemory the state that all nodes of the run share */
  constructor(
    private readonly runMemory: () => JsonObject,
    private readonly definition: Pick<WorkflowDefinition, 'settings'>,
  ) {}

  /** Tokens used by the execution so far. */
  get tokens(): number {
    return this.#read().tokens;
  }

  /** Counts a call before it is made. @throws NodeFailure that names the limit */
  countModelCall(estimatedTokens: number): void {
    const counts = this.#read();
    if (counts.modelCalls >= LIMITS.modelCalls.max)
      throw new NodeFailure(limitSentence(LIMITS.modelCalls, counts.modelCalls + 1), { description: totals(counts) });
    this.#checkTokens(counts, counts.tokens + estimatedTokens);
    this.#write({ ...counts, modelCalls: counts.modelCalls + 1 });
  }

  /** Counts what a call has used. @throws NodeFailure if the limit is exceeded by now */
  countTokens(tokens: number): void {
    const counts = this.#read();
    const counted = { ...counts, tokens: counts.tokens + tokens };
    this.#write(counted);
    this.#checkTokens(counted, counted.tokens);
  }

  /** Counts calls of tools. @throws NodeFailure that names the limit */
  countToolCalls(number: number): void {
    const counts = this.#read();
    const toolCalls = counts.toolCalls + number;
    if (toolCalls > LIMITS.toolCalls.max)
      throw new NodeFailure(limitSentence(LIMITS.toolCalls, toolCalls), { description: totals(counts) });
    this.#write({ ...counts, toolCalls });
  }

  #checkTokens(counts: Counts, tokens: number): void {
    const own = this.#ownLimit();
    if (tokens <= own) return;
    if (own === LIMITS.modelTokens.max)
      throw new NodeFailure(limitSentence(LIMITS.modelTokens, tokens), { description: totals(counts) });
    throw new NodeFailure(
      `The models of this execution would use ${tokens} tokens, more than the ${own} that the workflow allows ` +
        '(settings.models.maxTokens).',
      { description: totals(counts) },
    );
  }

  /** The limit of the workflow, below that of the instance. */
  #ownLimit(): number {
    const own = numberField(this.definition.settings.models, 'maxTokens');
    return own === undefined || own <= 0 ? LIMITS.modelTokens.max : Math.min(own, LIMITS.modelTokens.max);
  }

  #read(): Counts {
    const stored = objectField(this.runMemory(), MEMORY);
    const count = (name: keyof Counts): number => numberField(stored, name) ?? 0;
    return { modelCalls: count('modelCalls'), toolCalls: count('toolCalls'), tokens: count('tokens') };
  }

  #write(counts: Counts): void {
    this.runMemory()[MEMORY] = { ...counts };
  }
}

function totals({ modelCalls, toolCalls, tokens }: Counts): string {
  return `So far the execution has made ${modelCalls} model calls and ${toolCalls} tool calls, with ${tokens} tokens.`;
}
