import type { CredentialGrant } from '@weft/proto/credentials';
import { InternalError } from '@weft/service-kit/errors';
import { quote, timeText } from '../http/json-text';
import { dataAnswer, DELETED } from '../middleware/write-answer';
import { component, described, ID, oneOf, record, TIME } from '../openapi/schema';
import type { IdentityHandler } from './identity-handler';

/** Schema of `grantText`. */
export const CREDENTIAL_GRANT = component(
  'CredentialGrant',
  record(
    { projectId: described('A project, a user or a workflow.', ID), grantedBy: ID, grantedAt: TIME },
    { grantedTo: oneOf('project', 'user', 'workflow') },
  ),
);

const grantText = (grant: CredentialGrant | undefined): string => {
  if (grant === undefined) throw new InternalError(new Error('The credentials service answered without the grant.'));
  const { projectId, grantedBy, grantedAt, grantedTo } = grant;
  // The credentials service of release 0.1.0 leaves the kind out, and knows only projects.
  const kind = grantedTo === '' ? 'project' : grantedTo;
  return (
    `{"projectId":${quote(projectId)},"grantedTo":${quote(kind)},"grantedBy":${quote(grantedBy)},` +
    `"grantedAt":${timeText(grantedAt)}}`
  );
};

/** GET /credentials/:id/grants, an addition: who may use it besides its owner. */
export const listCredentialGrants: IdentityHandler = async ({ id, principal }, { credentials }) => {
  const { grants } = await credentials.calls.listCredentialGrants({ credentialId: id }, { principal });
  return dataAnswer(`[${grants.map(grantText).join(',')}]`);
};

/** PUT /credentials/:id/grants/:grantedTo, an addition: lets one workflow, or those of a project or user, use it. */
export const grantCredential: IdentityHandler = async ({ id, ref, principal }, { credentials }) => {
  const asked = { credentialId: id, projectId: ref };
  return dataAnswer(grantText((await credentials.calls.grantCredential(asked, { principal })).grant));
};

/** DELETE /credentials/:id/grants/:grantedTo, an addition: takes effect for uses that begin after the response. */
export const revokeCredential: IdentityHandler = async ({ id, ref, principal }, { credentials }) => {
  await credentials.calls.revokeCredential({ credentialId: id, projectId: ref }, { principal });
  return DELETED;
};
