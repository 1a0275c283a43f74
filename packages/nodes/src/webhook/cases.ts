import type { KindCases } from '../testing/cases/node-case';

const request = {
  headers: { host: 'x' },
  params: { id: '7' },
  query: { a: '1' },
  body: { n: 1 },
  webhookUrl: 'http://x/webhook/a',
  executionMode: 'production',
};

/** The cases of Webhook within a run. */
export const webhookCases: KindCases = {
  kind: 'webhook',
  cases: [
    {
      it: 'outputs the request as one item',
      versions: [1, 1.1, 2, 2.1],
      run: { isStart: true, mode: 'webhook', items: [request] },
      gives: [[request]],
    },
    {
      it: 'has an output for each of its methods, in their order',
      versions: [1, 1.1, 2, 2.1],
      run: {
        isStart: true,
        mode: 'webhook',
        items: [{ ...request, method: 'PUT' }],
        parameters: { multipleMethods: true, httpMethod: ['POST', 'PUT', 'GET'] },
      },
      gives: [[], [request], []],
    },
    {
      it: 'accepts GET and POST by default if it accepts several methods',
      versions: [1, 1.1, 2, 2.1],
      run: {
        isStart: true,
        mode: 'webhook',
        items: [{ ...request, method: 'POST' }],
        parameters: { multipleMethods: true },
      },
      gives: [[], [request]],
    },
    {
      it: 'outputs the data of the call when started manually',
      versions: [1, 1.1, 2, 2.1],
      run: { isStart: true, items: [{ n: 1 }] },
      gives: [[{ n: 1 }]],
    },
    {
      it: 'continues with a request that meets its condition',
      versions: [1, 1.1, 2, 2.1],
      run: {
        isStart: true,
        mode: 'webhook',
        items: [request],
        parameters: { options: { onlyRunIf: '={{ $json.body.n === 1 && $json.params.id }}' } },
      },
      gives: [[request]],
    },
    {
      it: 'ends with a request that does not, and responds to it',
      versions: [1, 1.1, 2, 2.1],
      run: {
        isStart: true,
        mode: 'webhook',
        items: [request],
        parameters: { options: { onlyRunIf: '={{ $json.body.n === 2 }}' } },
      },
      gives: [[]],
      answers: { status: 200, body: '{"message":"Webhook call received"}' },
    },
    {
      it: 'continues if its condition cannot be evaluated',
      versions: [2.1],
      run: {
        isStart: true,
        mode: 'webhook',
        items: [request],
        parameters: { options: { onlyRunIf: "={{ $('Nobody').item.json.x }}" } },
      },
      gives: [[request]],
    },
  ],
};
