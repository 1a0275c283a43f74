import { type NodeContext, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import type { Json } from '@weft/node-catalogue';
import { choiceParameter, textParameter } from '../../../shared/read-parameter';
import { type AnswerForm, answerFormOf } from '../../parsers/answer-form';
import { userSchemaOf } from '../../parsers/user-schema';
import { askForForm } from '../shared/ask-for-form';
import { batchingOf, itemsWith, workItems } from '../shared/work-items';
import { schemaOfAttributes, withoutNulls } from './attributes';
import { EXTRACT_PROMPT } from './descriptor';

const EMPTY = 'The field "Text" is empty.';

/** Extracts fields from the text of each item. */
export const informationExtractor: NodeExecutor = {
  kind: 'langchain.informationExtractor',
  actsOutside: true,
  run: (context) => {
    const form = formOf(context);
    const batching = batchingOf(context, 'options.batching', context.version >= 1.1);
    return workItems(
      context,
      batching,
      (itemIndex) => extract(context, itemIndex, form),
      (results) => output(itemsWith('output', results)),
    );
  },
};

async function extract(context: NodeContext, itemIndex: number, form: AnswerForm): Promise<Json> {
  const text = textParameter(context, 'text', itemIndex);
  if (text.trim() === '') throw new NodeFailure('There is no text to extract from', { itemIndex, description: EMPTY });
  const system = textParameter(context, 'options.systemPromptTemplate', itemIndex, EXTRACT_PROMPT);
  return askForForm(context, { itemIndex, system, text, form, fixes: true });
}

/** The form is the same for all items: its parameters are read for the first. */
function formOf(context: NodeContext): AnswerForm {
  if (choiceParameter(context, 'schemaType', 0, ['fromAttributes', 'fromJson', 'manual']) === 'fromAttributes') {
    const form = answerFormOf(schemaOfAttributes(context), {
      field: 'Attributes',
      node: context.node.name,
      itemIndex: 0,
    });
    return { ...form, read: (text) => withoutNulls(form.read(text)) };
  }
  const { schema, place } = userSchemaOf(context, 0, { allRequired: context.version >= 1.2 });
  return answerFormOf(schema, place);
}
