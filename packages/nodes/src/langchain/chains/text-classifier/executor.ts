import { type Item, type NodeContext, type NodeExecutor, NodeFailure, type NodeShape, outputs } from '@weft/engine';
import { isJsonObject, type Json, plainValue } from '@weft/node-catalogue';
import { booleanParameter, choiceParameter, objectsParameter, textParameter } from '../../../shared/read-parameter';
import { type AnswerForm, answerFormOf } from '../../parsers/answer-form';
import { askForForm } from '../shared/ask-for-form';
import { fillTemplate } from '../shared/fill-template';
import { batchingOf, workItems, type Worked } from '../shared/work-items';
import { CLASSIFY_PROMPT } from './descriptor';

const EMPTY = 'The field "Text" is empty.';

/** Categories of a node, and characters of the name of one. */
const [MAX_CATEGORIES, MAX_NAME] = [100, 500];
/** Field of the answer that is true if no category applies. */
const FALLBACK = 'fallback';

interface Category {
  readonly name: string;
  readonly description: string;
}

/** Sends each item to the outputs of the categories of its text. */
export const textClassifier: NodeExecutor = {
  kind: 'langchain.textClassifier',
  actsOutside: true,
  outputCount,
  run: (context) => {
    const categories = categoriesOf(context);
    const hasOther = choiceParameter(context, 'options.fallback', 0, ['discard', 'other']) === 'other';
    const form = answerFormOf(schemaOf(categories, hasOther), {
      field: 'Categories',
      node: context.node.name,
      itemIndex: 0,
    });
    return workItems(
      context,
      batchingOf(context, 'options.batching', context.version >= 1.1),
      async (itemIndex) => outputsOf(await ask(context, itemIndex, form, categories, hasOther), categories, hasOther),
      (results) => outputs(...placed(context.items, results, categories.length + (hasOther ? 1 : 0))),
    );
  },
};

function outputCount(shape: NodeShape): number {
  const categories = plainValue(shape.rawParameter('categories.categories'));
  const other = plainValue(shape.rawParameter('options.fallback')) === 'other' ? 1 : 0;
  return Math.max(1, (Array.isArray(categories) ? Math.min(categories.length, MAX_CATEGORIES) : 0) + other);
}

function categoriesOf(context: NodeContext): Category[] {
  const given = objectsParameter(context, 'categories.categories', 0);
  if (given.length === 0)
    throw new NodeFailure('At least one category must be defined', { description: 'Add one to "Categories".' });
  if (given.length > MAX_CATEGORIES)
    throw new NodeFailure(`The field "Categories" has ${given.length} entries; at most ${MAX_CATEGORIES} are allowed`);
  return given.map(({ category, description }, index) => {
    if (typeof category !== 'string' || category === '' || category === '__proto__')
      throw new NodeFailure(`Category ${index + 1} has no name`, { description: 'Enter a name in "Categories".' });
    if (category.length > MAX_NAME)
      throw new NodeFailure(`The name of category ${index + 1} has more than ${MAX_NAME} characters`);
    return { name: category, description: typeof description === 'string' ? description : '' };
  });
}

/** A boolean for each category. */
function schemaOf(categories: readonly Category[], hasOther: boolean): AnswerForm['schema'] {
  const fields = categories.map(({ name, description }): [string, Json] => [
    name,
    { type: 'boolean', description: `True if the text is of the category "${name}". ${description}`.trim() },
  ]);
  const other: [string, Json][] = hasOther
    ? [[FALLBACK, { type: 'boolean', description: 'True if no category applies.' }]]
    : [];
  const properties = Object.fromEntries([...fields, ...other]);
  return { type: 'object', properties, required: Object.keys(properties) };
}

async function ask(
  context: NodeContext,
  itemIndex: number,
  form: AnswerForm,
  categories: readonly Category[],
  hasOther: boolean,
): Promise<Json> {
  const text = textParameter(context, 'inputText', itemIndex);
  if (text === '') throw new NodeFailure('There is no text to classify', { itemIndex, description: EMPTY });
  const template = textParameter(context, 'options.systemPromptTemplate', itemIndex, CLASSIFY_PROMPT);
  const system = [
    fillTemplate(template, { categories: categories.map(({ name }) => name).join(', ') }),
    booleanParameter(context, 'options.multiClass', 0)
      ? 'Several categories can apply.'
      : 'At most one category can apply.',
    hasOther ? `If none applies, set "${FALLBACK}" to true.` : 'If none applies well, set none of them to true.',
  ].join('\n');
  const fixes = booleanParameter(context, 'options.enableAutoFixing', 0);
  return askForForm(context, { itemIndex, system, text, form, fixes });
}

/** Numbers of the outputs for an answer. */
function outputsOf(answer: Json, categories: readonly Category[], hasOther: boolean): number[] {
  const isTrue = (name: string): boolean =>
    isJsonObject(answer) && Object.hasOwn(answer, name) && answer[name] === true;
  const chosen = categories.flatMap(({ name }, index) => (isTrue(name) ? [index] : []));
  return hasOther && (isTrue(FALLBACK) || chosen.length === 0) ? [...chosen, categories.length] : chosen;
}

/** Failed items are sent to the first output, as in n8n. */
function placed(items: readonly Item[], results: readonly Worked[], count: number): Item[][] {
  const placed: Item[][] = Array.from({ length: count }, () => []);
  results.forEach((one, index) => {
    const pairedItem = { item: index };
    const { json = {}, binary } = items[index] ?? {};
    if ('error' in one) placed[0]?.push({ json: { error: one.error }, pairedItem });
    else if (Array.isArray(one.value))
      for (const output of one.value)
        placed[Number(output)]?.push({ json, ...(binary === undefined ? {} : { binary }), pairedItem });
  });
  return placed;
}
