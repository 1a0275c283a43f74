import { documentPath, reasonsOfRoute } from './document';
import { errorAnswers } from './error-answers';
import { html, type Html, withCode } from './html';
import { type DocumentedRoute, TAGS } from './route-doc';
import { componentsOf, showFields, showSchema } from './show-schema';

const NONE: Html = html``;

const anchor = (tag: string): string => `group-${tag.toLowerCase().replaceAll(' ', '-')}`;

const parameterRows = ({ query, doc }: DocumentedRoute): readonly Html[] => [
  ...query.map(
    ({ name, description, schema }) =>
      html`<li><code>?${name}=</code> ${withCode(description)}${showSchema(schema)}</li>`,
  ),
  ...(doc.headers ?? []).map(({ name, description }) => html`<li><code>${name}:</code> ${withCode(description)}</li>`),
];

const answerRows = (route: DocumentedRoute): readonly Html[] => [
  ...Object.entries(route.doc.answers).map(
    ([status, { description, body }]) =>
      html`<li><b>${status}</b> ${withCode(description)}${body === undefined ? NONE : showSchema(body)}</li>`,
  ),
  ...errorAnswers(reasonsOfRoute(route)).map(
    ({ status, code, description }) => html`<li><b>${status}</b> <code>${code}</code> ${withCode(description)}</li>`,
  ),
];

/** The call as a curl command. */
const curlText = ({ method, path, request }: DocumentedRoute, root: string): string =>
  `curl -X ${method} -H "X-SVC-API-KEY: $WEFT_API_KEY"` +
  (request === undefined ? '' : ` -H 'Content-Type: application/json' -d @body.json`) +
  ` "$WEFT_URL${root}${documentPath(path)}"`;

const operation = (route: DocumentedRoute, root: string): Html => {
  const { method, path, handler, doc, request, body } = route;
  const parameters = parameterRows(route);
  return html`<section id="${handler.name}">
    <h3><a href="#${handler.name}">${doc.summary}</a></h3>
    <p class="call"><b>${method}</b> <code>${root}${documentPath(path)}</code></p>
    ${doc.description === undefined ? NONE : html`<p>${withCode(doc.description)}</p>`}
    <pre>${curlText(route, root)}</pre>
    ${
      parameters.length === 0
        ? NONE
        : html`<h4>Parameters</h4>
            <ul>
              ${parameters}
            </ul>`
    }
    ${
      request === undefined
        ? NONE
        : html`<h4>Body${body === 'optional' ? ', optional' : ''}</h4>
            ${showSchema(request.schema)}`
    }
    <h4>Answers</h4>
    <ul class="answers">
      ${answerRows(route)}
    </ul>
  </section> `;
};

/** The reference of a route table as one page without scripts. @param root path of the routes */
export const referencePage = (
  routes: readonly DocumentedRoute[],
  root: string,
  stylePath: string,
  documentUrl: string,
): string => {
  const groups = Object.entries(TAGS).map(([tag, meaning]) => ({
    tag,
    meaning,
    rows: routes.filter(({ doc }) => doc.tag === tag),
  }));
  const components = new Map(
    routes
      .flatMap(({ request, doc }) => [request?.schema, ...Object.values(doc.answers).map(({ body }) => body)])
      .flatMap((schema) => (schema === undefined ? [] : componentsOf(schema)))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  const contents = groups.map(
    ({ tag, rows }) =>
      html`<li>
        <a href="#${anchor(tag)}">${tag}</a>
        <ul>
          ${rows.map(({ handler, doc }) => html`<li><a href="#${handler.name}">${doc.summary}</a></li>`)}
        </ul>
      </li>`,
  );
  const sections = groups.map(
    ({ tag, meaning, rows }) =>
      html`<h2 id="${anchor(tag)}">${tag}</h2>
        <p>${meaning}</p>
        ${rows.map((route) => operation(route, root))}`,
  );
  const schemas = [...components].map(
    ([title, schema]) =>
      html`<section id="schema-${title}">
        <h3>${title}</h3>
        ${showFields(schema)}
      </section>`,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Weft: reference of the REST API</title>
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body>
        <nav aria-label="Operations">
          <ul>
            ${contents}
            <li><a href="#schemas">Schemas</a></li>
          </ul>
        </nav>
        <main>
          <h1>REST API</h1>
          <h2 id="authentication">Authentication</h2>
          <p>
            Every request has a key in the header <code>X-SVC-API-KEY</code>; a key is created on the
            <a href="/settings/">settings page</a>. The same as data: <a href="${documentUrl}">OpenAPI 3.1</a>.
          </p>
          <p>
            Where the operator has turned it on, Basic authentication with email and password works too. It is
            deprecated since the first release, and off by default. No date is set for its removal: use a key.
          </p>
          ${sections}
          <h2 id="schemas">Schemas</h2>
          ${schemas}
        </main>
      </body>
    </html> `.html;
};
