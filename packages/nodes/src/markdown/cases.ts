import type { KindCases } from '../testing/node-case';

export const markdownCases: KindCases = {
  kind: 'markdown',
  cases: [
    {
      it: 'converts HTML to Markdown by default, into the field data',
      versions: [1],
      run: { items: [{ h: '<h1>Hi</h1><p><b>x</b></p>' }], parameters: { html: '={{ $json.h }}' } },
      gives: [[{ h: '<h1>Hi</h1><p><b>x</b></p>', data: '# Hi\n\n**x**' }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'turns Markdown into HTML',
      versions: [1],
      run: { items: [{}], parameters: { mode: 'markdownToHtml', markdown: '*x*', destinationKey: 'html' } },
      gives: [[{ html: '<p><em>x</em></p>' }]],
    },
  ],
};
