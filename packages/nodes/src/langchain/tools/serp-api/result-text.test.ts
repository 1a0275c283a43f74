import { resultText } from './result-text';

describe('the result of a search', () => {
  it.each([
    [{ answer_box: { result: '42' }, organic_results: [{ snippet: 'x' }] }, '42'],
    [{ answer_box_list: [{ snippet: 'A city' }] }, 'A city'],
    [{ answer_box: { snippet_highlighted_words: ['a', 'b'] } }, 'a, b'],
    [{ answer_box: { price: 3, link: 'https://x.example', stock: {} } }, '{"price":3}'],
    [{ jobs_results: { jobs: [{ title: 'Cook', thumbnail: 'https://x.example/a' }] } }, '[{"title":"Cook"}]'],
    [{}, 'The search found nothing.'],
  ])('%j is %s', (response, text) => {
    expect(resultText(response)).toBe(text);
  });

  it('has what is known of the subject, and the first five pages', () => {
    const organic_results = Array.from({ length: 9 }, (_, at) => ({
      title: `T${at}`,
      link: `https://x.example/${at}`,
      snippet: `S${at}`,
      rich_snippet: {},
    }));
    const knowledge_graph = { title: 'Bern', description: 'A city', image: 'https://x.example/a.png', header: [] };
    const result: unknown = JSON.parse(resultText({ knowledge_graph, organic_results }));
    expect(result).toEqual([
      { title: 'Bern', description: 'A city' },
      ...[0, 1, 2, 3, 4].map((at) => ({ title: `T${at}`, link: `https://x.example/${at}`, text: `S${at}` })),
    ]);
  });
});
