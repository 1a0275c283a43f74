import type { NodeContext } from '@weft/engine';
import type { Json } from '@weft/node-catalogue';
import type { AnswerForm } from '../../parsers/answer-form';
import { FIX_PROMPT } from '../../parsers/descriptor-texts';
import { readOrFix } from '../../parsers/fix-answer';
import { failureOfMisfit } from '../../parsers/misfit';
import { answerSchemaFor } from './answer-schema';
import { modelsOf } from './ask-model';

/** A question whose answer has a form. */
export interface FormQuestion {
  readonly itemIndex: number;
  /** Task of the model. */
  readonly system: string;
  /** The text that it is about: data, not instructions. */
  readonly text: string;
  readonly form: AnswerForm;
  /** True if the model is asked once to correct an answer that does not fit. */
  readonly fixes: boolean;
}

/**
 * Asks the model of a node, and reads the answer. The service enforces the schema where it can; otherwise the prompt
 * describes it.
 * @throws NodeFailure if the answer does not fit
 */
export async function askForForm(
  context: NodeContext,
  { itemIndex, system, text, form, fixes }: FormQuestion,
): Promise<Json> {
  const models = await modelsOf(context, itemIndex);
  const enforced = answerSchemaFor(models, form.schema);
  const instructions = enforced.schema === undefined ? `${system}\n\n${form.instructions}` : system;
  const { message } = await models.call({
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content: text },
    ],
    ...enforced,
  });
  try {
    const answer = message.content;
    return fixes
      ? await readOrFix(answer, (one) => form.read(one), { model: models, form, prompt: FIX_PROMPT })
      : form.read(answer);
  } catch (thrown) {
    throw failureOfMisfit(thrown, message.content, itemIndex);
  }
}
