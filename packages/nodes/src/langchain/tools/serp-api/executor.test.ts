import type { OutboundRequest } from '@weft/outbound';
import { callTools } from '../testing/call-tools';

const KEY = 'serp-0123456789';

describe('the SerpApi tool', () => {
  it('offers a search, and sends its options and key to the service alone', async () => {
    const sent: OutboundRequest[] = [];
    const { functions, texts } = await callTools({
      tool: {
        type: '@n8n/n8n-nodes-langchain.toolSerpApi',
        name: 'Google',
        parameters: { options: { gl: 'ch', hl: 'de', no_cache: true, google_domain: '' } },
        over: { credentials: { serpApi: { id: 'c', name: 'c' } } },
      },
      calls: [{ input: 'Bern & more' }, { input: ' ' }],
      over: { credential: { apiKey: KEY } },
      ports: {
        http: {
          request: (request) => {
            sent.push(request);
            const body = Buffer.from(`{"answer_box":{"answer":"A city, ${KEY}"}}`);
            return Promise.resolve({ status: 200, statusText: '', headers: {}, body, url: request.url });
          },
        },
      },
    });
    expect(functions).toMatchObject([{ name: 'search' }]);
    expect(texts).toEqual(['A city, ***', expect.stringContaining('The input is empty')]);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.url).toBe(
      `https://serpapi.com/search?gl=ch&no_cache=true&hl=de&q=Bern%20%26%20more&api_key=${KEY}`,
    );
  });
});
