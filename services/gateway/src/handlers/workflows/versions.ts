import type { VersionSummary } from '@weft/proto/workflows';
import { InternalError } from '@weft/service-kit/errors';
import { quote, timeText } from '../../http/json-text';
import { dataAnswer } from '../../middleware/responses/write-answer';
import {
  ANY_OBJECT,
  BOOLEAN,
  component,
  described,
  type Fields,
  ID,
  orNull,
  record,
  TEXT,
  TIME,
} from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';
import { pageAnswer } from '../list-answer';

const VERSION_FIELDS: Fields = {
  versionId: ID,
  createdAt: TIME,
  hash: described('Identifies its content; null in lists if an earlier release stored it.', orNull(TEXT)),
  current: described('True for the version that new executions use.', BOOLEAN),
};

/** Schemas of a version in lists, and in full. */
export const VERSION_SUMMARY = component('WorkflowVersionSummary', record(VERSION_FIELDS));
export const WORKFLOW_VERSION = component('WorkflowVersion', record({ ...VERSION_FIELDS, definition: ANY_OBJECT }));

const headText = ({ versionId, createdAt, hash, current }: VersionSummary): string =>
  `{"versionId":${quote(versionId)},"createdAt":${timeText(createdAt)},` +
  `"hash":${hash === undefined ? 'null' : quote(hash)},"current":${current}`;

/** GET /workflows/:id/versions, an addition: one page of its stored versions, newest first. */
export const listWorkflowVersions: ApiHandler = (request, { workflows }) =>
  pageAnswer(request, async (page) => {
    const { versions, nextCursor } = await workflows.calls.listWorkflowVersions(
      { workflowId: request.id, ...page },
      { principal: request.principal },
    );
    return { entries: versions.map((version) => `${headText(version)}}`), nextCursor };
  });

/** GET /workflows/:id/versions/:versionId, an addition: one version with its definition. */
export const getWorkflowVersion: ApiHandler = async ({ id, ref, principal }, { workflows }) => {
  const { version, definition } = await workflows.calls.getWorkflowVersion(
    { workflowId: id, versionId: ref },
    { principal },
  );
  if (version === undefined) throw new InternalError(new Error('The workflows service omitted the version.'));
  return dataAnswer(`${headText(version)},"definition":${definition.toString('utf8')}}`);
};
