import { isJsonObject, listField, objectField, textField } from '@weft/node-catalogue';
import type { FieldError } from '@weft/service-kit/errors';
import { CredentialNotGranted } from './errors';
import type { LacksCredentials } from './ownership';
import type { VersionStore, WorkflowStore } from './ports';
import type { DefinitionJson, Version } from './workflow';

/** A credential that the runs of a workflow may not use. */
export interface RefusedCredential {
  readonly credentialId: string;
  /** Names the credential and its owner, and says how to grant it. */
  readonly message: string;
}

/** Finds those that a workflow of an owner may not use. Unknown ids are none of them. @throws Unavailable */
export type FindRefusedCredentials = (
  version: Pick<Version, 'ownerId' | 'workflowId' | 'credentialIds'>,
) => Promise<readonly RefusedCredential[]>;

/**
 * Refuses a version that names a credential which its runs may not use: a user who inherits the workflow would lend its
 * author the right to it.
 * @throws CredentialNotGranted, Unavailable
 */
export type CheckCredentials = (
  version: Pick<Version, 'ownerId' | 'workflowId' | 'credentialIds'>,
  value: DefinitionJson,
) => Promise<void>;

/** The fields of a definition that name a credential. */
const fieldsNaming = (value: DefinitionJson, { credentialId, message }: RefusedCredential): FieldError[] =>
  listField(value, 'nodes').flatMap((node, index) =>
    Object.entries((isJsonObject(node) ? objectField(node, 'credentials') : undefined) ?? {}).flatMap(
      ([type, reference]) =>
        isJsonObject(reference) && textField(reference, 'id') === credentialId
          ? [{ field: `nodes[${index}].credentials.${type}`, message }]
          : [],
    ),
  );

/** Creates the check of a stored workflow. */
export const createLacksCredentials = (
  workflows: Pick<WorkflowStore, 'find'>,
  versions: Pick<VersionStore, 'find'>,
  findRefused: FindRefusedCredentials,
): LacksCredentials =>
  async function lacksCredentials(workflowId) {
    const workflow = await workflows.find(workflowId);
    const [version] = workflow === undefined ? [] : await versions.find([workflow.versionId]);
    if (workflow === undefined || version === undefined || version.credentialIds.length === 0) return false;
    return (await findRefused({ ...version, ownerId: workflow.ownerId })).length > 0;
  };

/** Creates the check, which asks only about versions that name credentials. */
export const createCheckCredentials = (findRefused: FindRefusedCredentials): CheckCredentials =>
  async function checkCredentials(version, value) {
    if (version.credentialIds.length === 0) return;
    const refused = await findRefused(version);
    const [first] = refused;
    if (first !== undefined)
      throw new CredentialNotGranted(
        first,
        refused.flatMap((one) => fieldsNaming(value, one)),
      );
  };
