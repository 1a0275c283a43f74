import {
  kindOf,
  MAX_FIELD_ERRORS,
  readDefinition,
  usesCredential,
  type DefinitionError,
  type WorkflowDefinition,
} from '@weft/node-catalogue';
import { definitionWarnings, describeKind } from '@weft/nodes/descriptors';
import type { FieldError } from '@weft/service-kit/errors';
import { toFieldErrors } from './errors';
import { linkCredentials, type CredentialLink, type FindCredentials } from './link-credentials';
import type { ParsedDefinition } from './parse-definition';
import { completeDefinition } from './type-version-defaults';
import type { TypeVersionDefault } from './workflow';

/** A definition as POST, PUT, activation and checks read it, with its credentials linked. */
export interface ExaminedDefinition extends ParsedDefinition {
  /** Parts without effect, and those that will make runs fail: they do not prevent an activation. */
  readonly warnings: readonly FieldError[];
}

/**
 * Examines a definition for its owner.
 * @param typeVersions versions of nodes that set none, as resolved when the definition was stored
 * @throws Unavailable if credentials cannot be looked up
 */
export type ExamineDefinition = (
  parsed: ParsedDefinition,
  ownerId: string,
  typeVersions?: readonly TypeVersionDefault[],
) => Promise<ExaminedDefinition>;

const FIX = 'Create it and save or activate the workflow again, or choose another one.';

const faultOf = ({ type, id, name, found }: CredentialLink): string | undefined => {
  const called = name === '' ? `with the id ${JSON.stringify(id.slice(0, 100))}` : JSON.stringify(name.slice(0, 200));
  switch (found.how) {
    case 'none':
      return `the credential ${called} of type ${type} does not exist, so the node will fail. ${FIX}`;
    case 'ambiguous':
      return (
        `several credentials of type ${type} are called ${called}, so none was chosen and the node will fail. ` +
        'Set the id of one of them.'
      );
    case 'id':
      return found.isUsable
        ? undefined
        : `the owner of the workflow may not use the credential ${called} of type ${type}, so the node will fail.`;
    case 'name':
    case 'unchecked':
      return undefined;
  }
};

/** Warnings about credentials that enabled nodes use and that were not found. */
const credentialWarnings = (definition: WorkflowDefinition, links: readonly CredentialLink[]): DefinitionError[] => {
  const nodes = new Map(definition.nodes.map((node) => [node.name, node]));
  return links.flatMap((link) => {
    const node = nodes.get(link.node);
    const descriptor = node === undefined ? undefined : describeKind(kindOf(node.type) ?? '');
    const fault = faultOf(link);
    if (node === undefined || descriptor === undefined || node.disabled === true || fault === undefined) return [];
    if (!usesCredential(node, descriptor, link.type)) return [];
    return [{ node: link.node, field: `credentials.${link.type}`, message: `Node "${link.node}": ${fault}` }];
  });
};

/** Creates the reader that everything that stores or checks a definition shares. */
export const createExamineDefinition = (findCredentials: FindCredentials): ExamineDefinition =>
  async function examineDefinition(parsed, ownerId, typeVersions = []) {
    const { value, links } = await linkCredentials(parsed.value, ownerId, findCredentials);
    const definition = readDefinition({ ...completeDefinition(value, typeVersions) });
    const warnings = [...credentialWarnings(definition, links), ...definitionWarnings(definition)];
    return {
      name: parsed.name,
      value,
      text: value === parsed.value ? parsed.text : JSON.stringify(value),
      warnings: toFieldErrors(definition, warnings.slice(0, MAX_FIELD_ERRORS)),
    };
  };
