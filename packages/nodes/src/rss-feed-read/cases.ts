import type { KindCases } from '../testing/cases/node-case';

const serverAnswers = {
  type: 'application/xml',
  body:
    '<rss version="2.0"><channel><item><title>T</title><link>http://x.example/1</link><own>' +
    'mine</own></item></channel></rss>',
};
const entry = { title: 'T', link: 'http://x.example/1' };

export const rssFeedReadCases: KindCases = {
  kind: 'rssFeedRead',
  cases: [
    {
      it: 'reads one feed, whatever the items',
      versions: [1],
      run: ({ url }) => ({ items: [{}, {}], parameters: { url } }),
      serverAnswers,
      gives: [[entry]],
    },
    {
      it: 'reads a feed for every item',
      versions: [1.1, 1.2],
      run: ({ url }) => ({ items: [{}, {}], parameters: { url } }),
      serverAnswers,
      gives: [[entry, entry]],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'outputs additional fields if configured',
      versions: [1, 1.1, 1.2],
      run: ({ url }) => ({ items: [{}], parameters: { url, options: { customFields: 'own' } } }),
      serverAnswers,
      gives: [[{ ...entry, own: 'mine' }]],
    },
    {
      it: 'keeps the blanks before the content of an entry',
      versions: [1, 1.1, 1.2],
      run: ({ url }) => ({ items: [{}], parameters: { url } }),
      serverAnswers: {
        type: 'application/xml',
        body:
          '<rss version="2.0"><channel><item><description>' +
          '\n  &lt;p&gt;x&lt;/p&gt;</description></item></channel></rss>',
      },
      gives: [[{ content: '\n  <p>x</p>', contentSnippet: 'x' }]],
    },
    {
      it: 'reports a response that is not a feed',
      versions: [1, 1.1, 1.2],
      run: ({ url }) => ({ items: [{}], parameters: { url } }),
      serverAnswers: { type: 'text/plain', body: 'no feed' },
      fails: 'The feed cannot be read',
    },
  ],
};
