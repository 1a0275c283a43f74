import type { JsonObject } from '@weft/node-catalogue';
import type { KindCases } from '../../../testing/cases/node-case';
import type { KindRun } from '../../../testing/cases/run-kind';
import { promptOf } from '../../testing/scripted-model';

const older = [1, 1.1, 1.2, 1.3, 1.4];
const newer = [1.5, 1.6, 1.7];
const all = [...older, ...newer];
const withType = [1.3, 1.4, ...newer];
const before = [1, 1.1, 1.2];

const echo = { answers: (call: Parameters<typeof promptOf>[0]) => promptOf(call) };
const run = (parameters: JsonObject, over: Partial<KindRun> = {}): Omit<KindRun, 'version'> => ({
  items: [{ q: 'stripes' }],
  parameters: { query: '={{ $json.q }}', promptType: 'define', text: '={{ $json.q }}', ...parameters },
  model: echo,
  finds: ['ai_retriever'],
  ...over,
});
const template = (systemPromptTemplate: string): JsonObject => ({ options: { systemPromptTemplate } });

export const chainRetrievalQaCases: KindCases = {
  kind: 'langchain.chainRetrievalQa',
  cases: [
    {
      it: 'answers the question of each item from documents',
      versions: older,
      run: run(template('[{context}] {question} {input}')),
      gives: [[{ response: { text: '[1 about stripes\n\n2 about stripes] stripes stripes\nstripes' } }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'answers the question of each item from documents',
      versions: newer,
      run: run(template('[{context}] {question} {input}')),
      gives: [[{ response: '[1 about stripes\n\n2 about stripes] {question} stripes\nstripes' }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'answers the chat input',
      versions: [1.3, 1.4],
      run: run({ promptType: 'auto', ...template('{context}') }, { items: [{ chatInput: 'Hi' }] }),
      gives: [[{ response: { text: '1 about Hi\n\n2 about Hi\nHi' } }]],
    },
    {
      it: 'answers the chat input',
      versions: newer,
      run: run({ promptType: 'auto', ...template('{context}') }, { items: [{ chatInput: 'Hi' }] }),
      gives: [[{ response: '1 about Hi\n\n2 about Hi\nHi' }]],
    },
    {
      it: 'needs a question',
      versions: before,
      run: run({ query: '' }),
      fails: 'The question for "Node" is empty',
    },
    {
      it: 'needs a question',
      versions: withType,
      run: run({ promptType: 'auto' }),
      fails: 'The question for "Node" is empty',
    },
    {
      it: 'needs a place for the documents in its prompt',
      versions: all,
      run: run(template('Answer')),
      fails: 'must contain {context}',
    },
  ],
};
