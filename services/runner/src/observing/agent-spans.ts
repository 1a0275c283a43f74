import type { StepOutcome, TracedNode } from '@weft/engine';
import { currentContext, type RequestContext } from '@weft/service-kit/context';
import { beginPart, type ActiveSpan, type SpanAttributes, withinSpan } from '@weft/service-kit/tracing';
import { toolContent } from './model-content';

/** Kinds whose runs are those of an agent. */
const AGENTS: ReadonlySet<string> = new Set(['langchain.agent', 'langchain.agentTool']);

/** Spans of agents in progress, by the span of the run in which they work. */
const agentsOf = new WeakMap<ActiveSpan, Map<string, ActiveSpan>>();

const keyOf = ({ node, runIndex }: { readonly node: string; readonly runIndex: number }): string =>
  `${runIndex} ${node}`;

const agentsIn = (run: ActiveSpan): Map<string, ActiveSpan> => {
  const known = agentsOf.get(run) ?? new Map<string, ActiveSpan>();
  agentsOf.set(run, known);
  return known;
};

/** Ends the spans of agents that continue in a later attempt, whose trace is another one. */
export const endAgentSpans = (run: ActiveSpan): void => {
  for (const span of agentsOf.get(run)?.values() ?? []) span.end();
  agentsOf.delete(run);
};

/** The id that the model gave to a call. Agents put the item and the answer in front of it, as in `0/1/call_a`. */
const idOf = ({ id }: NonNullable<TracedNode['call']>): string => id.replace(/^\d+\/\d+\//, '');

const agentAttributes = ({ name, call }: TracedNode): SpanAttributes => ({
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.agent.name': name,
  ...(call === undefined ? {} : { 'gen_ai.tool.call.id': idOf(call) }),
});

const toolAttributes = (call: NonNullable<TracedNode['call']>): SpanAttributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': call.tool,
  'gen_ai.tool.type': 'function',
  'gen_ai.tool.call.id': idOf(call),
});

const usageAttributes = ({ usage }: StepOutcome): SpanAttributes =>
  usage === undefined
    ? {}
    : { 'gen_ai.usage.input_tokens': usage.inputTokens, 'gen_ai.usage.output_tokens': usage.outputTokens };

/** Arguments and result of a call. */
const contentOf = ({ input }: NonNullable<TracedNode['call']>, { output }: StepOutcome): SpanAttributes => {
  const shownInput = toolContent(input);
  const shownOutput = output === undefined ? undefined : toolContent(output);
  return {
    ...(shownInput === undefined ? {} : { 'gen_ai.tool.call.arguments': shownInput }),
    ...(shownOutput === undefined ? {} : { 'gen_ai.tool.call.result': shownOutput }),
  };
};

/** Dependencies of the spans of agents and tools. */
export interface AgentSpansDeps {
  readonly tracesContent: boolean;
  /** Begins spans; for tests. */
  readonly begin?: typeof beginPart;
}

/**
 * Runs a node within the span of its agent, or of its call: `invoke_agent` lasts over all steps of an agent in this
 * process, and `execute_tool` for a run of a tool. Any other node runs as it is.
 * @param context of the run
 */
export const withinAgent = async <Result>(
  context: RequestContext & { readonly span: ActiveSpan },
  node: TracedNode,
  run: () => Promise<Result>,
  outcomeOf: (result: Result) => StepOutcome,
  { tracesContent, begin = beginPart }: AgentSpansDeps,
): Promise<Result> => {
  const { call, kind = '' } = node;
  const isAgent = AGENTS.has(kind);
  if (!isAgent && call === undefined) return run();
  const agents = agentsIn(context.span);
  const parent = (call && agents.get(keyOf(call.root))) ?? context.span;
  const at = { ...context, span: parent };
  const place = keyOf({ node: node.name, runIndex: node.run });
  const span = isAgent
    ? (agents.get(place) ??
      begin(at, { name: `invoke_agent ${node.name}`, kind: 'internal', attributes: agentAttributes(node) }))
    : call && begin(at, { name: `execute_tool ${call.tool}`, kind: 'internal', attributes: toolAttributes(call) });
  if (span === undefined) return run();
  if (isAgent) agents.set(place, span);
  try {
    const result = await withinSpan(span, run);
    const outcome = outcomeOf(result);
    if (isAgent && outcome.kind === 'continues') return result;
    if (isAgent) agents.delete(place);
    if (isAgent) span.note(usageAttributes(outcome));
    if (tracesContent && call !== undefined && !isAgent) span.note(contentOf(call, outcome));
    span.end(outcome.kind === 'error' ? 'error' : undefined);
    return result;
  } catch (error) {
    agents.delete(place);
    span.end('aborted');
    throw error;
  }
};

/** The context of a run that is recorded; undefined for any other. */
export const recordedContext = (): (RequestContext & { readonly span: ActiveSpan }) | undefined => {
  const context = currentContext();
  return context?.span?.isRecorded === true ? { ...context, span: context.span } : undefined;
};
