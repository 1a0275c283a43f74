import type { KindCases } from '../testing/cases/node-case';

const serverAnswers = {
  type: 'application/xml',
  body:
    '<rss version="2.0"><channel>' +
    '<item><title>Old</title><guid>1</guid><pubDate>Thu, 09 Feb 2023 13:40:00 GMT</pubDate></item>' +
    '<item><title>New</title><guid>2</guid><pubDate>Fri, 10 Feb 2023 13:40:00 GMT</pubDate></item>' +
    '</channel></rss>',
};

export const rssFeedReadTriggerCases: KindCases = {
  kind: 'rssFeedReadTrigger',
  cases: [
    {
      it: 'outputs the newest entry when started manually',
      versions: [1],
      run: ({ url }) => ({ isStart: true, items: [{}], parameters: { feedUrl: url } }),
      serverAnswers,
      gives: [[{ title: 'New', guid: '2', pubDate: expect.any(String), isoDate: '2023-02-10T13:40:00.000Z' }]],
    },
    {
      it: 'outputs the data of a manual start',
      versions: [1],
      run: { isStart: true, items: [{ title: 'mine' }] },
      gives: [[{ title: 'mine' }]],
    },
    {
      it: 'fails without a URL',
      versions: [1],
      run: { isStart: true, items: [{}] },
      fails: 'URL',
    },
  ],
};
