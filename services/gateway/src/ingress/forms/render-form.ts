import type { FormButton, FormPage } from '@weft/proto/channels';
import { inputName, takesFiles } from './form-page';
import type { Page } from './page-shell';
import { fieldId, renderField } from './render-field';
import { escapeHtml, safeText } from './safe-html';

/** A form to be rendered. */
export interface ShownForm {
  readonly page: FormPage;
  /** Address to which it is submitted. */
  readonly action: string;
  /** Id of this rendering of the form: submitting it twice counts once. */
  readonly submission: string;
  /** Values by index of the field; absent: empty. */
  readonly values: ReadonlyMap<number, readonly string[]>;
  /** Error messages by index of the field. */
  readonly errors: ReadonlyMap<number, string>;
  /** Buttons in place of the first field and of the button of the page. */
  readonly buttons?: readonly FormButton[] | undefined;
}

/** Name of the input that holds the id of the rendering. */
export const SUBMISSION_INPUT = 'weft-submission';

const summary = ({ page, errors }: ShownForm): string => {
  if (errors.size === 0) return '';
  const lines = [...errors].map(
    ([index, error]) =>
      `<li><a href="#${fieldId(index)}">${escapeHtml(page.fields[index]?.label ?? '')}</a>: ${escapeHtml(error)}</li>`,
  );
  return (
    `<div class="notice bad" role="alert">\n<p>` +
    `${errors.size === 1 ? 'Please correct one answer:' : `Please correct ${errors.size} answers:`}</p>` +
    `\n<ul>${lines.join('')}</ul>\n</div>\n`
  );
};

const heading = ({ title, description }: FormPage): string =>
  `<h1>${escapeHtml(title === '' ? 'Form' : title)}</h1>` +
  `\n${description === '' ? '' : `<div class="description">${safeText(description)}</div>\n`}`;

const submitButtons = ({ button }: FormPage, buttons: readonly FormButton[] | undefined): string =>
  buttons === undefined
    ? `<button type="submit">${escapeHtml(button === '' ? 'Submit' : button)}</button>`
    : buttons
        .map(
          ({ value, label }) =>
            `<button type="submit" name="${inputName(0)}" value="${escapeHtml(value)}">${escapeHtml(label)}</button>`,
        )
        .join('\n');

/** The page with a form, its values and their errors. */
export const formPage = (shown: ShownForm): Pick<Page, 'title' | 'body' | 'css'> => {
  const { page, action, submission, values, errors, buttons } = shown;
  const [firstError] = errors.keys();
  const fields = page.fields.map((field, index) =>
    buttons !== undefined && index === 0
      ? ''
      : renderField({
          field,
          index,
          values: values.get(index) ?? [],
          error: errors.get(index),
          isFirstError: index === firstError,
        }),
  );
  const noted = buttons === undefined ? page.fields : page.fields.slice(1);
  const note = noted.some(({ required, type }) => required && type !== 'hidden' && type !== 'html')
    ? '<p class="legend"><span class="mark" aria-hidden="true">*</span> required</p>\n'
    : '';
  const encoding = takesFiles(page) ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  const attributes = `method="post" action="${escapeHtml(action)}" enctype="${encoding}" accept-charset="utf-8"`;
  const body = `${heading(page)}${summary(shown)}<form ${attributes}>
<input type="hidden" name="${SUBMISSION_INPUT}" value="${escapeHtml(submission)}">
${fields.join('\n')}
${note}${submitButtons(page, buttons)}
</form>`;
  return {
    title: `${errors.size === 0 ? '' : 'Please check: '}${page.title === '' ? 'Form' : page.title}`,
    body,
    css: page.css,
  };
};
