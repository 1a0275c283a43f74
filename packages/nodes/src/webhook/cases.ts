import type { KindCases } from '../testing/node-case';

const request = {
  headers: { host: 'x' },
  params: { id: '7' },
  query: { a: '1' },
  body: { n: 1 },
  webhookUrl: 'http://x/webhook/a',
  executionMode: 'production',
};

/** The promises of Webhook within a run. */
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
      it: 'outputs the data of the call when started by hand',
      versions: [1, 1.1, 2, 2.1],
      run: { isStart: true, items: [{ n: 1 }] },
      gives: [[{ n: 1 }]],
    },
  ],
};
