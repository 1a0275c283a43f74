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

/** The run behind the form was stopped before it could use the answers. */
export const stoppedPage = (): Page =>
  headed('This run was stopped', paragraph('Nothing more is done with it. Ask the person who sent you the link.'));

/** The response to a message was already given, or is not waited for any more. */
export const closedPage = (): Page => ({
  ...headed(
    'This link is no longer open',
    paragraph('A response was already given. If you have just received the link, try again in a moment.'),
  ),
  status: 409,
});

/** The time limit for the response to a message is over. */
export const expiredPage = (): Page => ({
  ...headed(
    'This link has expired',
    paragraph('The time for a response is over. A response that was given before counts.'),
  ),
  status: 410,
});

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
