import type { Page } from './page-shell';
import { escapeHtml, safeText } from './safe-html';

const headed = (title: string, paragraphs: string): Pick<Page, 'title' | 'body'> => ({
  title,
  body: `<h1>${escapeHtml(title)}</h1>\n${paragraphs}`,
});

const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;

/** The form was submitted and nothing is left to do. `text` is the author's. */
export const donePage = (title: string, text: string): Page => ({
  ...headed(
    title === '' ? 'Form submitted' : title,
    `<p class="big">${text === '' ? 'Your response has been recorded.' : safeText(text)}</p>`,
  ),
});

/** The run behind the form failed. The error is not shown to the user who filled it in. */
export const failedPage = (): Page =>
  headed(
    'Something went wrong',
    paragraph(
      'Your answers were received but could not be processed. Please contact the person who sent you this form.',
    ),
  );

/** The run continues. The page polls on its own, or has stopped polling. */
export const workingPage = (
  next: { readonly url: string; readonly seconds: number } | undefined,
  again: string,
): Page => {
  const status =
    next === undefined
      ? `${paragraph('This takes longer than expected.')}\n<p><a class="button" href="${escapeHtml(again)}">Check ` +
        'again</a></p>'
      : '<div class="working" aria-hidden="true"></div>\n<p role="status">Your answers were received and are ' +
        'being processed. This page refreshes automatically.</p>';
  return { ...headed('One moment', status), ...(next === undefined ? {} : { next }) };
};

/** The browser is redirected to another page. */
export const leavingPage = (url: string): Page => ({
  ...headed(
    'Form submitted',
    `<p>You are being redirected to <a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(url)}</a>.</p>`,
  ),
  next: { url, seconds: 0 },
});

/** Files are ready to be saved. */
export const filePage = (
  title: string,
  text: string,
  files: readonly { readonly url: string; readonly fileName: string }[],
): Page => ({
  ...headed(
    title === '' ? 'Form submitted' : title,
    (text === '' ? '' : `<p class="big">${safeText(text)}</p>\n`) +
      files
        .map(
          ({ url, fileName }) =>
            `<p><a class="button" href="${escapeHtml(url)}" download>` +
            `Save ${escapeHtml(fileName === '' ? 'the file' : fileName)}</a></p>`,
        )
        .join('\n'),
  ),
});

/** An error page with the reason. */
export const refusalPage = (status: number, title: string, text: string): Page => ({
  ...headed(title, paragraph(text)),
  status,
});
