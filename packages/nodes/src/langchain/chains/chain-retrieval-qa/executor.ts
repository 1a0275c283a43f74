import { type NodeContext, type NodeExecutor, NodeFailure, output, type Retriever } from '@weft/engine';
import { textParameter } from '../../../shared/read-parameter';
import { modelsOf } from '../shared/ask-model';
import { fillTemplate } from '../shared/fill-template';
import { promptOf } from '../shared/prompt-of';
import { batchingOf, itemsWith, workItems } from '../shared/work-items';
import { QA_PROMPT } from './descriptor';

/** Characters of all documents in the prompt. */
const MAX_CONTEXT = 400_000;
const PROMPT_TYPE_SINCE = 1.3;
/** Since this version, the answer is the response itself, and the template calls the question `input`. */
const PLAIN_SINCE = 1.5;

/** Answers questions from the documents of a retriever. */
export const chainRetrievalQa: NodeExecutor = {
  kind: 'langchain.chainRetrievalQa',
  actsOutside: true,
  run: (context) =>
    workItems(
      context,
      batchingOf(context, 'options.batching', context.version >= 1.6),
      async (itemIndex) => {
        const text = await answer(context, itemIndex);
        return context.version >= PLAIN_SINCE ? text : { text };
      },
      (results) => output(itemsWith('response', results)),
    ),
};

async function answer(context: NodeContext, itemIndex: number): Promise<string> {
  const { name } = context.node;
  const question =
    context.version < PROMPT_TYPE_SINCE ? textParameter(context, 'query', itemIndex) : promptOf(context, itemIndex);
  if (question.trim() === '')
    throw new NodeFailure(`The question for "${name}" is empty`, {
      itemIndex,
      description: 'Check the prompt of the node, and the field of the item that it names.',
    });
  const given = textParameter(context, 'options.systemPromptTemplate', itemIndex) || QA_PROMPT;
  if (!given.includes('{context}'))
    throw new NodeFailure(`"System prompt" of "${name}" must contain {context}, the place of the documents`, {
      itemIndex,
    });
  const models = await modelsOf(context, itemIndex);
  const retriever = await retrieverOf(context, itemIndex);
  const documents = (await retriever.retrieve(question))
    .map(({ pageContent }) => pageContent)
    .join('\n\n')
    .slice(0, MAX_CONTEXT);
  const values = { context: documents, input: question };
  const older = context.version < PLAIN_SINCE ? { question } : {};
  const { message } = await models.call({
    messages: [
      { role: 'system', content: fillTemplate(given, { ...values, ...older }) },
      { role: 'user', content: question },
    ],
    signal: context.signal,
  });
  return message.content;
}

/** @throws NodeFailure if none is attached */
async function retrieverOf(context: NodeContext, itemIndex: number): Promise<Retriever> {
  const [supplied] = await context.attached('ai_retriever', itemIndex);
  if (supplied === undefined)
    throw new NodeFailure(`No retriever is connected to "${context.node.name}"`, {
      itemIndex,
      description: 'Connect a retriever, and enable it.',
    });
  return supplied.handle;
}
