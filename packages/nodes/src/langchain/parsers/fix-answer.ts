import { type LanguageModel, NodeFailure, type OutputParser, type SupplyContext } from '@weft/engine';
import { answerSchemaFor } from '../chains/shared/answer-schema';
import { fillTemplate } from '../chains/shared/fill-template';
import { misfitOf } from './misfit';

/**
 * Reads an answer, and if it does not fit, asks a model once to correct it.
 * @param prompt with `{instructions}`, `{completion}` and `{error}`
 * @throws NodeFailure if the corrected answer does not fit either
 */
export async function readOrFix<Result>(
  text: string,
  read: (text: string) => Result | Promise<Result>,
  fix: {
    readonly model: Pick<LanguageModel, 'call' | 'enforcesSchema'>;
    readonly form: Pick<OutputParser, 'schema' | 'instructions'>;
    readonly prompt: string;
  },
): Promise<Result> {
  try {
    return await read(text);
  } catch (thrown) {
    const error = misfitOf(thrown);
    if (error === undefined) throw thrown;
    const { model, form, prompt } = fix;
    const content = fillTemplate(prompt, { instructions: form.instructions, completion: completionOf(text), error });
    const { message } = await model.call({
      messages: [{ role: 'user', content }],
      ...answerSchemaFor(model, form.schema),
    });
    return read(message.content);
  }
}

/** Characters of a wrong answer that are sent back. */
const MAX_COMPLETION = 65_536;

function completionOf(text: string): string {
  return text.length > MAX_COMPLETION ? `${text.slice(0, MAX_COMPLETION)}…` : text;
}

/** The model that a parser corrects answers with, and its prompt. @throws NodeFailure that names what is missing */
export async function fixerOf(
  context: SupplyContext,
  prompt: string,
  field: string,
): Promise<{ readonly model: LanguageModel; readonly prompt: string }> {
  const { itemIndex } = context;
  if (!prompt.includes('{error}'))
    throw new NodeFailure(`The field "${field}" of "${context.node.name}" must contain {error}`, {
      itemIndex,
      description: 'It may also contain {instructions} and {completion}.',
    });
  const [supplied] = await context.attached('ai_languageModel', itemIndex);
  if (supplied !== undefined) return { model: supplied.handle, prompt };
  throw new NodeFailure(`"${context.node.name}" has no model to correct answers with`, {
    itemIndex,
    description: 'Connect a model to its input "Model".',
  });
}
