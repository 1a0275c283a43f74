import type { CredentialGrant } from '@weft/proto/credentials';
import { InternalError } from '@weft/service-kit/errors';
import { quote, timeText } from '../http/json-text';
import { dataAnswer, DELETED } from '../middleware/responses/write-answer';
import { BOOLEAN, component, described, ID, listOf, oneOf, record, TEXT, TIME } from '../openapi/schema';
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

/** Schema of the workflows that use a credential. */
export const CREDENTIAL_USES = component(
  'CredentialUses',
  record({
    workflows: listOf(record({ id: ID, name: TEXT })),
    hasHidden: described('Whether workflows that the caller may not read use it too.', BOOLEAN),
  }),
);

/** GET /credentials/:id/workflows, an addition: workflows whose current version uses it. */
export const listCredentialUses: IdentityHandler = async ({ id, principal }, { credentials }) => {
  const { workflows, hasHidden } = await credentials.calls.listCredentialUses({ credentialId: id }, { principal });
  const entries = workflows.map((workflow) => `{"id":${quote(workflow.id)},"name":${quote(workflow.name)}}`);
  return dataAnswer(`{"workflows":[${entries.join(',')}],"hasHidden":${hasHidden}}`);
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
