import type { KindCases } from '../testing/cases/node-case';

export const stopAndErrorCases: KindCases = {
  kind: 'stopAndError',
  cases: [
    {
      it: 'fails with its message',
      versions: [1],
      run: { items: [{ n: 7 }], parameters: { errorMessage: '=bad: {{ $json.n }}' } },
      fails: 'bad: 7',
    },
    {
      it: 'fails with the message in its object',
      versions: [1],
      run: { items: [{}], parameters: { errorType: 'errorObject', errorObject: '{"message":"of the object"}' } },
      fails: 'of the object',
    },
    {
      it: 'reports a missing message',
      versions: [1],
      run: { items: [{}], parameters: { errorMessage: '={{ $json.none }}' } },
      fails: 'The node stopped the run without a message',
    },
  ],
};
