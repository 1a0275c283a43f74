import type { KindCases } from '../testing/cases/node-case';

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
      it: 'converts Markdown to HTML',
      versions: [1],
      run: { items: [{}], parameters: { mode: 'markdownToHtml', markdown: '*x*', destinationKey: 'html' } },
      gives: [[{ html: '<p><em>x</em></p>' }]],
    },
    {
      it: 'treats underscores inside words as emphasis by default',
      versions: [1],
      run: { items: [{ m: 'a_b_c' }], parameters: { mode: 'markdownToHtml', markdown: '={{ $json.m }}' } },
      gives: [[{ m: 'a_b_c', data: '<p>a<em>b</em>c</p>' }]],
    },
    {
      it: 'follows the options of the generated HTML',
      versions: [1],
      run: {
        items: [{ m: '- [x] a_b_c\n\n#T' }],
        parameters: {
          mode: 'markdownToHtml',
          markdown: '={{ $json.m }}',
          options: { tasklists: true, literalMidWordUnderscores: true, requireSpaceBeforeHeadingText: true },
        },
      },
      gives: [
        [
          {
            m: '- [x] a_b_c\n\n#T',
            data:
              '<ul>\n<li class="task-list-item" style="list-style-type: none;"><input type="checkbox" disabled ' +
              'style="margin: 0px 0.35em 0.25em -1.6em; vertical-align: middle;" checked> a_b_c</li>\n</ul>\n<p>#T</p>',
          },
        ],
      ],
    },
    {
      it: 'replaces the first occurrence of given strings, and escapes by given patterns',
      versions: [1],
      run: {
        items: [{ h: '<p>aa *b* # c</p>' }],
        parameters: {
          html: '={{ $json.h }}',
          options: {
            textReplace: { values: [{ pattern: 'a', replacement: 'Z' }] },
            globalEscape: { value: { pattern: '*', replacement: '+' } },
          },
        },
      },
      gives: [[{ h: '<p>aa *b* # c</p>', data: 'Za +b* # c' }]],
    },
    {
      it: 'reports an unknown mode',
      versions: [1],
      run: { items: [{}], parameters: { mode: '={{ "sideways" }}' } },
      fails: 'The parameter "mode" is "sideways", which is not supported',
    },
    {
      it: 'omits item linking when it creates two outputs',
      versions: [1],
      run: {
        items: [{ m: 'a' }, { m: 'b' }],
        parameters: { mode: 'markdownToHtml', markdown: '={{ $json.m === "b" ? null.toTitleCase() : $json.m }}' },
        node: { onError: 'continueErrorOutput' },
      },
      gives: [[{ m: 'a', data: '<p>a</p>' }], [{ error: "toTitleCase can't be used on null value" }]],
      pairs: [[undefined], [undefined]],
    },
  ],
};
