import type { Json } from '@weft/service-kit/json';
import { documentPath, reasonsOfRoute } from './document';
import { errorAnswers } from './error-answers';
import { curlText, exampleOf } from './examples';
import { html, type Html, withCode } from './html';
import { describePathParameter } from './path-parameters';
import type { DocumentedRoute } from './route-doc';
import { fieldRow, showSchema } from './show-schema';

const NONE: Html = html``;

/** Path segment of the page of a tag: `Data tables` is `data-tables`. */
export const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-');

/** Address of an operation. */
export const addressOf = ({ doc, handler }: DocumentedRoute): string => `/docs/${slugOf(doc.tag)}/#${handler.name}`;

/** Method and path of an operation. */
export const callOf = ({ method, path }: DocumentedRoute, root = ''): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span> <code>${root}${documentPath(path)}</code>`;

const parameterRows = ({ path, query, doc }: DocumentedRoute): readonly Html[] => [
  ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) =>
    fieldRow(name, { type: 'string', description: describePathParameter(path, name) }, 'in the path'),
  ),
  ...query.map(({ name, description, schema }) => fieldRow(name, { ...schema, description }, 'query')),
  ...(doc.headers ?? []).map(({ name, description }) => fieldRow(name, { type: 'string', description }, 'header')),
];

const jsonText = (value: Json): string => JSON.stringify(value, undefined, 2);

const responseExample = (route: DocumentedRoute): Html => {
  const [found] = Object.entries(route.doc.answers).filter(([, { body }]) => body !== undefined);
  const body = found?.[1].body;
  return found === undefined || body === undefined
    ? NONE
    : html`<h4>Response ${found[0]}</h4>
        <pre tabindex="0">${jsonText(exampleOf(body))}</pre>`;
};

const responses = (route: DocumentedRoute): readonly Html[] => [
  ...Object.entries(route.doc.answers).map(
    ([status, { description, body }]) =>
      html`<li>
        <b class="ok">${status}</b> ${withCode(description)}${body === undefined ? NONE : showSchema(body)}
      </li>`,
  ),
  html`<li>
    <details>
      <summary>Errors</summary>
      <ul class="errors">
        ${errorAnswers(reasonsOfRoute(route)).map(
          ({ status, code, description }) =>
            html`<li><b>${status}</b> <code>${code}</code> ${withCode(description)}</li>`,
        )}
      </ul>
    </details>
  </li>`,
];

/** An operation with its parameters, body, responses and examples. @param root path of the API */
export const showOperation = (route: DocumentedRoute, root: string): Html => {
  const { handler, doc, request, body } = route;
  const parameters = parameterRows(route);
  return html`<section id="${handler.name}">
    <div class="text">
      <h2><a href="#${handler.name}">${doc.summary}</a></h2>
      <p class="call">${callOf(route, root)}</p>
      ${doc.description === undefined ? NONE : html`<p>${withCode(doc.description)}</p>`}
      ${
        parameters.length === 0
          ? NONE
          : html`<h3>Parameters</h3>
              <ul class="fields">
                ${parameters}
              </ul>`
      }
      ${
        request === undefined
          ? NONE
          : html`<h3>Body${body === 'optional' ? ', optional' : ''}</h3>
              ${showSchema(request.schema)}`
      }
      <h3>Responses</h3>
      <ul class="responses">
        ${responses(route)}
      </ul>
    </div>
    <div class="examples">
      <h4>Request</h4>
      <pre tabindex="0">${curlText(route, root)}</pre>
      ${responseExample(route)}
    </div>
  </section>`;
};
