import { isJsonObject, listField, objectField, textField } from '@weft/node-catalogue';
import { isUuid } from '@weft/service-kit/ids';
import type { Principal } from '@weft/service-kit/auth';
import type { VisibilityScopes } from '@weft/service-kit/visibility';
import type { VersionStore, WorkflowStore } from '../ports';
import type { DefinitionJson, WorkflowSummary } from '../workflows/workflow';

/** A workflow that uses a credential. */
export interface CredentialWorkflow {
  readonly id: string;
  readonly name: string;
}

/** A credential, and the user who asks which workflows use it. */
export interface NamingQuestion {
  readonly credentialId: string;
  readonly ownerId: string;
  /** Projects, users and workflows that it is granted to. */
  readonly grantedTo: readonly string[];
  /** Undefined: a caller with the visibility scope of its owner's runs. */
  readonly user: Principal | undefined;
}

/** Workflows that use a credential. */
export interface NamingWorkflows {
  /** Those visible to the user, at most 20. */
  readonly workflows: readonly CredentialWorkflow[];
  /** True if others exist in closed projects that it is granted to. */
  readonly hasHidden: boolean;
}

/**
 * Lists workflows whose current version uses a credential. Workflows of closed projects that neither own it nor are
 * granted it do not count, because they cannot use it.
 */
export type ListCredentialWorkflows = (question: NamingQuestion) => Promise<NamingWorkflows>;

const MAX_LISTED = 20;
const PAGE = 200;
/** Most versions of a frequently saved workflow are not the current one. */
const MAX_PAGES = 50;

/** Distinct ids of the credentials used by the nodes of a definition. */
export const credentialIdsOf = (definition: DefinitionJson): readonly string[] => {
  const ids = listField(definition, 'nodes').flatMap((node) =>
    Object.values((isJsonObject(node) ? objectField(node, 'credentials') : undefined) ?? {}).flatMap((reference) => {
      const id = isJsonObject(reference) ? (textField(reference, 'id') ?? '') : '';
      return isUuid(id) ? [id] : [];
    }),
  );
  return [...new Set(ids)];
};

export const createListCredentialWorkflows = (
  workflows: Pick<WorkflowStore, 'summaries'>,
  versions: Pick<VersionStore, 'findNaming'>,
  scopes: VisibilityScopes,
): ListCredentialWorkflows =>
  async function listCredentialWorkflows({ credentialId, ownerId, grantedTo, user }) {
    const ofOwner = await scopes.ofRun(ownerId);
    const { sees } = user === undefined ? ofOwner : await scopes.ofUser(user);
    const isGranted = (workflow: Pick<WorkflowSummary, 'id' | 'ownerId'>): boolean =>
      grantedTo.includes(workflow.ownerId) || grantedTo.includes(workflow.id);
    let hasHidden = false;
    const found = new Map<string, CredentialWorkflow>();
    let after = '';
    for (let page = 0; page < MAX_PAGES && found.size < MAX_LISTED; page += 1) {
      const naming = await versions.findNaming(credentialId, after, PAGE);
      const current = new Map(
        (await workflows.summaries([...new Set(naming.map(({ workflowId }) => workflowId))])).map((workflow) => [
          workflow.versionId,
          workflow,
        ]),
      );
      for (const { id } of naming) {
        const workflow = current.get(id);
        if (workflow === undefined) continue;
        if (!ofOwner.sees(workflow.ownerId) && !isGranted(workflow)) continue;
        if (!sees(workflow.ownerId)) hasHidden = true;
        else if (found.size < MAX_LISTED) found.set(workflow.id, { id: workflow.id, name: workflow.name });
      }
      after = naming.at(-1)?.id ?? '';
      if (naming.length < PAGE) break;
    }
    return { workflows: [...found.values()], hasHidden };
  };
