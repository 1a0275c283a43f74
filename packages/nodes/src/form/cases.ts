import type { KindCases } from '../testing/cases/node-case';

const versions = [1, 2.3, 2.4, 2.5];
const end = { operation: 'completion' };

/** The cases of Form at the end of a form; executor.test.ts covers its pages. */
export const formCases: KindCases = {
  kind: 'form',
  cases: [
    {
      it: 'ends the form with a title and a message, and passes its items on',
      versions,
      run: {
        after: 'formTrigger',
        items: [{}],
        parameters: {
          ...end,
          completionTitle: 'Bye',
          completionMessage: '={{ "See you " + (1 + 1) }}',
          options: { formTitle: 'Over' },
        },
      },
      gives: [[{}]],
      answers: {
        body: JSON.stringify({ kind: 'end', pageTitle: 'Over', title: 'Bye', message: 'See you 2', css: '' }),
      },
    },
    {
      it: 'redirects the browser to another page',
      versions,
      run: {
        after: 'formTrigger',
        items: [{}],
        parameters: { ...end, respondWith: 'redirect', redirectUrl: 'https://x.example/a' },
      },
      gives: [[{}]],
      answers: { body: JSON.stringify({ kind: 'redirect', url: 'https://x.example/a' }) },
    },
    {
      it: 'redirects the browser to a URL without a scheme by https',
      versions,
      run: {
        after: 'formTrigger',
        items: [{}],
        parameters: { ...end, respondWith: 'redirect', redirectUrl: 'x.example/a' },
      },
      gives: [[{}]],
      answers: { body: JSON.stringify({ kind: 'redirect', url: 'https://x.example/a' }) },
    },
    {
      it: 'rejects a redirect URL that could run code',
      versions,
      run: {
        after: 'formTrigger',
        items: [{}],
        parameters: { ...end, respondWith: 'redirect', redirectUrl: 'javascript:alert(1)' },
      },
      fails: 'is not a valid redirect URL',
    },
    {
      it: 'shows custom HTML',
      versions,
      run: {
        after: 'formTrigger',
        items: [{}],
        parameters: { ...end, respondWith: 'showText', responseText: '<p>x</p>' },
      },
      gives: [[{}]],
      answers: { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<p>x</p>' },
    },
    {
      it: 'reports a missing file',
      versions,
      run: { after: 'formTrigger', items: [{}], parameters: { ...end, respondWith: 'returnBinary' } },
      fails: 'No binary data with field data found.',
    },
    {
      it: 'requires a form trigger',
      versions,
      run: { items: [{}], parameters: {} },
      fails: 'Form Trigger node must be set before this node',
    },
  ],
};
