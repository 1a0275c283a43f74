import { type JsonObject, modelSettingsOf } from '@weft/node-catalogue';
import type { TokenUsage } from '@weft/models';
import { type Limit, LIMITS, limitSentence } from '@weft/service-kit/limits';
import type { WorkflowDefinition } from '@weft/node-catalogue/definitions';
import type { ModelCall, ModelLimit, ModelPorts, ModelPrice } from '../../node/model-calls';
import { NodeFailure } from '../../node/node-failure';
import { limitAdvice } from './limit-advice';
import {
  type ModelCounts,
  readCounts,
  roundedCost,
  type RunUsage,
  withUnpriced,
  writeCounts,
} from '../../records/model-usage';

const MILLION = 1_000_000;

/** A call that the limits allow, until it is over. */
export interface OpenCall {
  /** The call is over: its estimate no longer counts. */
  end(): void;
  /** The call is not made. */
  withdraw(): void;
}

/**
 * Calls, tokens and cost of models that the nodes of one execution have used, stored with the run, and the limits on
 * them. Counts persist if a node fails: a call that was made is paid for.
 */
export class ModelBudget {
  /** Estimates of calls that are being made: several may run at the same time. */
  #openTokens = 0;
  #openCost = 0;

  /** @param runMemory the state that all nodes of the run share */
  constructor(
    private readonly runMemory: () => JsonObject,
    private readonly definition: Pick<WorkflowDefinition, 'settings'>,
    private readonly ports: ModelPorts = {},
  ) {}

  /** Counts a call before it is made. @throws NodeFailure that names the limit */
  begin({ model, estimatedTokens }: Pick<ModelCall, 'model' | 'estimatedTokens'>): OpenCall {
    const counts = this.#countCall();
    const cost = costOf(this.#priceOf(model), { inputTokens: estimatedTokens, outputTokens: 0 }) ?? 0;
    this.#checkTokens(counts, counts.totalTokens + this.#openTokens + estimatedTokens);
    this.#checkCost(counts, (counts.cost ?? 0) + this.#openCost + cost);
    writeCounts(this.runMemory(), { ...counts, calls: counts.calls + 1 });
    this.#openTokens += estimatedTokens;
    this.#openCost += cost;
    const end = (): void => {
      this.#openTokens -= estimatedTokens;
      this.#openCost -= cost;
    };
    return {
      end,
      withdraw: () => {
        end();
        const made = readCounts(this.runMemory());
        writeCounts(this.runMemory(), { ...made, calls: made.calls - 1 });
      },
    };
  }

  /** Counts a call whose tokens are not known. @throws NodeFailure that names the limit */
  async countUnknownCall(): Promise<void> {
    const counts = this.#countCall();
    this.#checkTokens(counts, counts.totalTokens);
    this.#checkCost(counts, counts.cost ?? 0);
    await this.reserve(0);
    const made = readCounts(this.runMemory());
    writeCounts(this.runMemory(), { ...made, calls: made.calls + 1 });
  }

  /** Counts tokens of the day before they are used. @throws NodeFailure that names the limit */
  async reserve(tokens: number): Promise<void> {
    const exceeded = await this.ports.dayTokens?.reserve(tokens);
    if (exceeded === undefined) return;
    const { used, limit, resetAt } = exceeded;
    throw this.failure(
      'MODEL_TOKENS_PER_DAY',
      `The owner of the workflow has used ${used} of ${limit} tokens of models for today, and this call needs about ` +
        `${tokens} (MODEL_TOKENS_PER_DAY). The next day begins at ${resetAt.toISOString()}.`,
    );
  }

  /** Counts tokens of the day that differ from those that were reserved. */
  async settle(tokens: number): Promise<void> {
    if (tokens !== 0) await this.ports.dayTokens?.settle(tokens);
  }

  /** Counts what a call has used. @returns the same for the node that made it */
  count(model: string, { inputTokens, outputTokens, totalTokens }: TokenUsage): RunUsage {
    const counts = readCounts(this.runMemory());
    const added = { inputTokens, outputTokens, ...this.#costFacts(model, { inputTokens, outputTokens }) };
    const unpriced = (added.unpricedModels ?? []).reduce(withUnpriced, counts.unpricedModels ?? []);
    writeCounts(this.runMemory(), {
      ...counts,
      inputTokens: counts.inputTokens + inputTokens,
      outputTokens: counts.outputTokens + outputTokens,
      totalTokens: counts.totalTokens + totalTokens,
      ...(added.cost === undefined ? {} : { cost: (counts.cost ?? 0) + added.cost }),
      ...(unpriced.length === 0 ? {} : { unpricedModels: unpriced }),
    });
    return added;
  }

  /** @throws NodeFailure if the calls that were made have exceeded a limit */
  check(): void {
    const counts = readCounts(this.runMemory());
    this.#checkTokens(counts, counts.totalTokens);
    this.#checkCost(counts, counts.cost ?? 0);
  }

  /** Counts calls of tools. @throws NodeFailure that names the limit */
  countToolCalls(number: number): void {
    const counts = readCounts(this.runMemory());
    const toolCalls = counts.toolCalls + number;
    if (toolCalls > LIMITS.toolCalls.max) throw this.#exceeded('TOOL_CALLS', LIMITS.toolCalls, toolCalls, counts);
    writeCounts(this.runMemory(), { ...counts, toolCalls });
  }

  /** Reports a limit that was reached. */
  reached(limit: ModelLimit): void {
    this.ports.observer?.limitReached(limit);
  }

  /** Reports the steps of a node that can call tools. */
  stepsTaken(steps: number): void {
    this.ports.observer?.stepsTaken(steps);
  }

  /** The failure of a node that has reached a limit, reported. */
  failure(limit: ModelLimit, message: string, counts = readCounts(this.runMemory())): NodeFailure {
    this.reached(limit);
    return new NodeFailure(message, {
      description: `${totals(counts)} ${limitAdvice(limit)}`,
      context: { limit },
    });
  }

  /** The counts before another call. @throws NodeFailure if there may be none */
  #countCall(): ModelCounts {
    const counts = readCounts(this.runMemory());
    if (counts.calls >= LIMITS.modelCalls.max)
      throw this.#exceeded('MODEL_CALLS', LIMITS.modelCalls, counts.calls + 1, counts);
    return counts;
  }

  #checkTokens(counts: ModelCounts, tokens: number): void {
    const own = Math.min(
      modelSettingsOf(this.definition.settings.models).maxTokens ?? Infinity,
      LIMITS.modelTokens.max,
    );
    if (tokens <= own) return;
    if (own === LIMITS.modelTokens.max) throw this.#exceeded('MODEL_TOKENS', LIMITS.modelTokens, tokens, counts);
    throw this.failure(
      'MAX_TOKENS',
      `The models of this execution would use ${tokens} tokens, more than the ${own} that the workflow allows ` +
        '(settings.models.maxTokens).',
      counts,
    );
  }

  #checkCost(counts: ModelCounts, cost: number): void {
    const { maxCost } = modelSettingsOf(this.definition.settings.models);
    if (maxCost === undefined || cost <= maxCost) return;
    throw this.failure(
      'MAX_COST',
      `The models of this execution would cost ${roundedCost(cost)}, more than the ${maxCost} that the workflow ` +
        'allows (settings.models.maxCost).',
      counts,
    );
  }

  #exceeded(name: ModelLimit, limit: Limit, found: number, counts: ModelCounts): NodeFailure {
    return this.failure(name, limitSentence(limit, found), counts);
  }

  #priceOf(model: string): ModelPrice | undefined {
    return this.ports.priceOf?.(model);
  }

  /** Nothing without prices, unless the workflow limits its cost: then a model without a price is to be reported. */
  #costFacts(model: string, usage: Pick<TokenUsage, 'inputTokens' | 'outputTokens'>): Partial<RunUsage> {
    if (this.ports.priceOf === undefined && modelSettingsOf(this.definition.settings.models).maxCost === undefined)
      return {};
    const cost = costOf(this.#priceOf(model), usage);
    return cost === undefined ? { cost: 0, unpricedModels: withUnpriced([], model) } : { cost };
  }
}

function costOf(
  price: ModelPrice | undefined,
  { inputTokens, outputTokens }: Pick<TokenUsage, 'inputTokens' | 'outputTokens'>,
): number | undefined {
  return price && (inputTokens * price.input + outputTokens * price.output) / MILLION;
}

function totals({ calls, toolCalls, totalTokens, cost }: ModelCounts): string {
  const spent = cost === undefined ? '' : `, at a cost of ${roundedCost(cost)}`;
  return (
    `So far the execution has made ${calls} model calls and ${toolCalls} tool calls, with ${totalTokens} tokens` +
    `${spent}.`
  );
}
