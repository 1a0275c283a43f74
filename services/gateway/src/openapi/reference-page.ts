import { WEBHOOKS_AND_FORMS } from './document';
import { ERROR_RESPONSE } from './error-answers';
import { html, type Html, withCode } from './html';
import { addressOf, callOf, showOperation, slugOf } from './reference-parts';
import { type DocumentedRoute, TAGS } from './route-doc';
import { componentsOf, showFields } from './show-schema';

/** Content and links of the pages. */
export interface ReferenceOptions {
  readonly routes: readonly DocumentedRoute[];
  /** Path of the routes. */
  readonly root: string;
  readonly stylePath: string;
  readonly documentUrl: string;
}

const NONE: Html = html``;

const SCHEMAS = 'schemas';

interface PageParts {
  readonly title: string;
  /** Slug of the page, to mark it in the navigation; empty: none. */
  readonly slug: string;
  readonly main: Html;
  /** The words that were searched for. */
  readonly words?: string;
}

const layout = (
  { title, slug, main, words = '' }: PageParts,
  { stylePath, documentUrl }: Pick<ReferenceOptions, 'stylePath' | 'documentUrl'>,
): string => {
  const entry = (address: string, label: string, at: string): Html =>
    html`<li><a href="${address}" ${at === slug ? html` aria-current="page"` : NONE}>${label}</a></li>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Weft API</title>
        <link rel="icon" href="/docs/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body>
        <header>
          <a class="brand" href="/docs/">Weft API</a>
          <form role="search" action="/docs/search">
            <input type="search" name="q" value="${words}" maxlength="100" placeholder="Search" aria-label="Search" />
          </form>
          <nav aria-label="Weft"><a href="/console/">Console</a> <a href="${documentUrl}">OpenAPI</a></nav>
        </header>
        <div class="page">
          <nav class="tags" aria-label="Reference">
            <ul>
              ${entry('/docs/', 'Overview', 'overview')}
              ${Object.keys(TAGS).map((tag) => entry(`/docs/${slugOf(tag)}/`, tag, slugOf(tag)))}
              ${entry(`/docs/${SCHEMAS}/`, 'Schemas', SCHEMAS)}
            </ul>
          </nav>
          <main>${main}</main>
        </div>
      </body>
    </html> `.html;
};

const operationList = (routes: readonly DocumentedRoute[]): Html =>
  html`<ul class="operations">
    ${routes.map(
      (route) =>
        html`<li>
          <a href="${addressOf(route)}">${route.doc.summary}</a>
          <span class="call">${callOf(route)}</span>
        </li>`,
    )}
  </ul>`;

const overview = (options: ReferenceOptions): string => {
  const { routes, root, documentUrl } = options;
  const groups = Object.entries(TAGS).map(
    ([tag, meaning]) =>
      html`<section class="group">
        <h2><a href="/docs/${slugOf(tag)}/">${tag}</a></h2>
        <p>${meaning}</p>
        ${operationList(routes.filter(({ doc }) => doc.tag === tag))}
      </section>`,
  );
  const main = html`<h1>REST API</h1>
    <p class="lead">
      ${routes.length} operations below <code>${root}</code>, for programs and command lines. The same as data:
      <a href="${documentUrl}">OpenAPI 3.1</a>, from which clients can be generated.
    </p>
    <section class="group" id="authentication">
      <h2>Authentication</h2>
      <p>
        Every request has a key in the header <code>X-SVC-API-KEY</code>; create one on the
        <a href="/console/keys">console</a>. A key has the role of its user.
      </p>
      <pre tabindex="0">curl -H "X-SVC-API-KEY: $WEFT_API_KEY" "$WEFT_URL${root}/workflows?limit=10"</pre>
      <p>
        Where the operator has turned it on, Basic authentication with email and password works too. It is deprecated
        since the first release, and off by default. No date is set for its removal: use a key.
      </p>
    </section>
    <section class="group" id="conventions">
      <h2>Responses, errors and retries</h2>
      <ul>
        <li>A response that is not an error has its result in <code>data</code>.</li>
        <li>
          An error is <code>{"error": {"code", "message", "details"}}</code>. Act on <code>code</code> and, where it is
          present, on <code>details.reason</code>.
        </li>
        <li>
          A page of a list has <code>nextCursor</code>, which is null on the last page. Pass it as <code>cursor</code>.
        </li>
        <li>A request with an <code>Idempotency-Key</code> can be repeated for 24 hours: it creates one object.</li>
        <li>429 and 503 have <code>Retry-After</code> in seconds.</li>
      </ul>
    </section>
    <section class="group" id="webhooks">
      <h2>Webhooks and forms</h2>
      <p>${withCode(WEBHOOKS_AND_FORMS)}</p>
    </section>
    ${groups}`;
  return layout({ title: 'Reference', slug: 'overview', main }, options);
};

const tagPage = (tag: string, meaning: string, options: ReferenceOptions): string => {
  const routes = options.routes.filter(({ doc }) => doc.tag === tag);
  const main = html`<h1>${tag}</h1>
    <p class="lead">${meaning}</p>
    ${operationList(routes)} ${routes.map((route) => showOperation(route, options.root))}`;
  return layout({ title: tag, slug: slugOf(tag), main }, options);
};

const schemasPage = (options: ReferenceOptions): string => {
  const bodies = options.routes.flatMap(({ request, doc }) => [
    request?.schema,
    ...Object.values(doc.answers).map(({ body }) => body),
  ]);
  const components = new Map(
    [...bodies, ERROR_RESPONSE]
      .flatMap((schema) => (schema === undefined ? [] : componentsOf(schema)))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  const main = html`<h1>Schemas</h1>
    <p class="lead">Objects that several operations share. A field that is not required may be missing.</p>
    ${[...components].map(
      ([title, schema]) =>
        html`<section class="group" id="schema-${title}">
          <h2><a href="#schema-${title}">${title}</a></h2>
          ${schema.description === undefined ? NONE : html`<p>${withCode(schema.description)}</p>`}
          ${showFields(schema)}
        </section>`,
    )}`;
  return layout({ title: 'Schemas', slug: SCHEMAS, main }, options);
};

/** Pages without scripts, by path: an overview, one for each tag, and the schemas. */
export const referencePages = (options: ReferenceOptions): ReadonlyMap<string, string> =>
  new Map([
    ['/docs/', overview(options)],
    ...Object.entries(TAGS).map(([tag, meaning]) => [`/docs/${slugOf(tag)}/`, tagPage(tag, meaning, options)] as const),
    [`/docs/${SCHEMAS}/`, schemasPage(options)],
  ]);

const MAX_WORDS_LENGTH = 100;

const textOf = ({ handler, method, path, query, doc }: DocumentedRoute): string =>
  [handler.name, method, path, doc.tag, doc.summary, doc.description ?? '', ...query.map(({ name }) => name)]
    .join(' ')
    .toLowerCase();

/** The operations that have all words in their names, addresses, parameters and descriptions. */
export const searchPage = (asked: string, options: ReferenceOptions): string => {
  const text = asked.slice(0, MAX_WORDS_LENGTH);
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = options.routes.filter((route) => {
    const where = textOf(route);
    return words.length > 0 && words.every((word) => where.includes(word));
  });
  const main = html`<h1>Search</h1>
    ${
      found.length === 0
        ? html`<p class="lead">
            ${words.length === 0 ? 'Type a word, such as retry.' : `No operation has all words of “${text}”.`}
            <a href="/docs/">All operations</a>
          </p>`
        : html`<p class="lead">${found.length} of ${options.routes.length} operations</p>
            ${operationList(found)}`
    }`;
  return layout({ title: 'Search', slug: '', main, words: text }, options);
};
