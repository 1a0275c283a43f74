import type { App } from '@weft/proto/apps';
import { InternalError, InvalidRequest } from '@weft/service-kit/errors';
import { isJsonObject } from '@weft/service-kit/json';
import { ifMatch, ifMatchOrAbsent, taggedBy } from '../../http/entity-tags';
import { quote, timeText } from '../../http/json-text';
import { flagParameter } from '../../http/read-query';
import { describedBy, object } from '../../http/shape';
import { dataAnswer, DELETED, taggedAnswer } from '../../middleware/responses/write-answer';
import { ANY_OBJECT, component, described, ID, listOf, record, TEXT, TIME } from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';

const FIELDS = {
  name: TEXT,
  label: TEXT,
  digest: described('SHA-256 of the document; identifies the revision.', TEXT),
  kinds: described('Names of the node kinds, or whole types of other packages.', listOf(TEXT)),
  createdAt: TIME,
  updatedAt: TIME,
  updatedBy: described('The user who stored the revision.', ID),
};

/** Schema of `appText`. */
export const APP = component('App', record(FIELDS));

/** The same with its document. */
export const APP_WITH_DOCUMENT = component(
  'AppWithDocument',
  record({ ...FIELDS, document: described('The file, as docs/apps.md describes it.', ANY_OBJECT) }),
);

/** Body of a PUT: the document of an app, which the service checks. */
export const APP_BODY = describedBy(
  component('AppDocument', {
    type: 'object',
    description: 'An app file as JSON: see docs/apps.md.',
    properties: {
      weftApp: { type: 'integer' },
      name: TEXT,
      label: TEXT,
      hosts: listOf(TEXT),
      credentials: ANY_OBJECT,
      calls: ANY_OBJECT,
      kinds: ANY_OBJECT,
    },
    additionalProperties: true,
  }),
  object({}, { isOpen: true }),
);

/** Parameter of a deletion. */
export const FORCE_APP = flagParameter(
  'force',
  'Deletes it although active workflows use it: they keep their revision until they are saved or activated again.',
);

const present = (app: App | undefined): App => {
  if (app === undefined) throw new InternalError(new Error('The workflows service answered without the app.'));
  return app;
};

/** An app as shown by the REST API. @param document its JSON; undefined: without it */
const appText = (app: App, document?: Buffer): string => {
  const { name, label, digest, kinds, createdAt, updatedAt, updatedBy } = app;
  return (
    `{"name":${quote(name)},"label":${quote(label)},"digest":${quote(digest)},"kinds":${JSON.stringify(kinds)},` +
    `"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)},"updatedBy":${quote(updatedBy)}` +
    `${document === undefined ? '' : `,"document":${document.toString()}`}}`
  );
};

/** GET /apps, an addition: the apps that users have added, by name. */
export const listApps: ApiHandler = async ({ principal }, { apps }) => {
  const { apps: all } = await apps.calls.listApps({}, { principal });
  return dataAnswer(`[${all.map((app) => appText(app)).join(',')}]`);
};

/** GET /apps/:name, an addition: one app with its document. */
export const getApp: ApiHandler = async ({ id, principal }, { apps }) => {
  const { app, document } = await apps.calls.getApp({ name: id }, { principal });
  return taggedAnswer(appText(present(app), document), app?.digest);
};

/**
 * PUT /apps/:name, an addition: stores an app or a new revision of it. 201 if it is new. If-Match as for workflows;
 * If-None-Match: * to add an app only.
 */
export const putApp: ApiHandler = async ({ id, body, headers, principal }, { apps }) => {
  if (!isJsonObject(body)) throw new InvalidRequest('The body must be a JSON object.');
  const { app, created } = await apps.calls.putApp(
    { name: id, document: Buffer.from(JSON.stringify(body)), ...ifMatchOrAbsent(headers) },
    { principal },
  );
  const stored = appText(present(app));
  if (!created) return taggedAnswer(stored, app?.digest);
  const location = `/api/v1/apps/${encodeURIComponent(id)}`;
  return dataAnswer(stored, { status: 201, headers: { location, ...taggedBy(app?.digest) } });
};

/** DELETE /apps/:name, an addition: active workflows keep the revision that they have. */
export const deleteApp: ApiHandler = async ({ id, query, headers, principal }, { apps }) => {
  await apps.calls.deleteApp({ name: id, force: FORCE_APP.read(query), ...ifMatch(headers) }, { principal });
  return DELETED;
};
