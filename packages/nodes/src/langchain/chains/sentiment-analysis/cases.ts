import type { KindCases } from '../../../testing/cases/node-case';

const items = [{ t: 'Lovely' }];
const inputText = '={{ $json.t }}';
const answer = (sentiment: string): string => JSON.stringify({ sentiment, strength: 0.5, confidence: 1 });

export const sentimentAnalysisCases: KindCases = {
  kind: 'langchain.sentimentAnalysis',
  cases: [
    {
      it: 'sends items to the outputs of their sentiments',
      versions: [1, 1.1],
      run: { items, parameters: { inputText }, model: { answers: [answer('Positive')] } },
      gives: [[{ t: 'Lovely', sentimentAnalysis: { category: 'Positive' } }], [], []],
      pairs: [[{ item: 0 }], [], []],
    },
    {
      it: 'has the sentiments and details of its options, after a correction',
      versions: [1, 1.1],
      run: {
        items,
        parameters: {
          inputText,
          options: {
            categories: 'Bad, Good',
            includeDetailedResults: true,
            enableAutoFixing: true,
            systemPromptTemplate: 'One of {categories}',
          },
        },
        model: { answers: ['Good!', answer('Good')] },
      },
      gives: [[], [{ t: 'Lovely', sentimentAnalysis: { category: 'Good', strength: 0.5, confidence: 1 } }]],
    },
    {
      it: 'requires text',
      versions: [1, 1.1],
      run: { items, parameters: { inputText: '={{ "" }}' }, model: { answers: ['{}'] } },
      fails: 'There is no text to analyze',
    },
  ],
};
