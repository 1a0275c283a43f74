import type { KindCases } from '../../../testing/cases/node-case';

const items = [{ t: 'A goal' }, { t: 'An election' }];
const categories = { categories: [{ category: 'Sport' }, { category: 'Politics', description: 'Power' }] };
const inputText = '={{ $json.t }}';

export const textClassifierCases: KindCases = {
  kind: 'langchain.textClassifier',
  cases: [
    {
      it: 'sends items to the outputs of their categories',
      versions: [1, 1.1],
      run: {
        items: [{ t: 'A goal' }],
        parameters: { inputText, categories },
        model: { answers: ['{"Sport":true,"Politics":false}'] },
      },
      gives: [[{ t: 'A goal' }], []],
      pairs: [[{ item: 0 }], []],
    },
    {
      it: 'sends items without a category to the last output',
      versions: [1, 1.1],
      run: {
        items,
        parameters: {
          inputText,
          categories,
          options: {
            fallback: 'other',
            multiClass: true,
            enableAutoFixing: true,
            systemPromptTemplate: '{categories}?',
          },
        },
        model: { answers: ['{"Sport":false,"Politics":false,"fallback":true}'] },
      },
      gives: [[], [], items],
    },
    {
      it: 'requires categories',
      versions: [1, 1.1],
      run: { items, parameters: { inputText }, model: { answers: ['{}'] } },
      fails: 'At least one category must be defined',
    },
  ],
};
