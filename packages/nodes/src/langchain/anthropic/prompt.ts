import type { NodeContext } from '@weft/engine';
import { type JsonObject, textField } from '@weft/node-catalogue';
import { booleanParameter } from '../../shared/read-parameter';
import { optionsOf, promptOf } from '../vendor/read-parameters';
import { readPrompts } from '../vendor/read-prompts';
import { requestJson } from '../vendor/service';
import type { SingleOperation } from '../vendor/single-operation';
import { ANTHROPIC, ROLES, withFeatures } from './anthropic-service';

/** A tool of the service for prompts. @param results fields of its response that the simplified item has */
const promptTool =
  (
    name: string,
    results: readonly string[],
    bodyOf: (context: NodeContext, itemIndex: number) => JsonObject,
  ): SingleOperation =>
  async (context, itemIndex, budget) => {
    const response = await requestJson(context, ANTHROPIC, {
      path: `/v1/experimental/${name}`,
      headers: withFeatures('prompt-tools-2025-04-02'),
      body: { kind: 'json', value: bodyOf(context, itemIndex) },
      itemIndex,
      budget,
    });
    if (!booleanParameter(context, 'simplify', itemIndex, true)) return [{ json: response }];
    const shown = results.flatMap((one) => {
      const value = response[one];
      return value === undefined ? [] : [[one, value] as const];
    });
    return [{ json: Object.fromEntries(shown) }];
  };

/** Writes a prompt for a task. */
export const generatePrompt = promptTool('generate_prompt', ['messages', 'system'], (context, itemIndex) => ({
  task: promptOf(context, 'task', itemIndex),
}));

/** Improves a prompt. */
export const improvePrompt = promptTool('improve_prompt', ['messages', 'system'], (context, itemIndex) =>
  promptBody(context, itemIndex, ['system', 'feedback']),
);

/** Finds the variables of a prompt. */
export const templatizePrompt = promptTool(
  'templatize_prompt',
  ['messages', 'system', 'variable_values'],
  (context, itemIndex) => promptBody(context, itemIndex, ['system']),
);

function promptBody(context: NodeContext, itemIndex: number, names: readonly string[]): JsonObject {
  const options = optionsOf(context, itemIndex);
  const messages = readPrompts(context, ROLES, itemIndex).map(({ role, content }) => ({ role, content: `${content}` }));
  const given = names.map((name) => [name, textField(options, name) ?? ''] as const);
  return { messages, ...Object.fromEntries(given.filter(([, value]) => value !== '')) };
}
