import {
  descriptorAmong,
  kindNameOf,
  MAX_FIELD_ERRORS,
  usesCredential,
  type DefinitionError,
  type PinnedApp,
  type WorkflowDefinition,
} from '@weft/node-catalogue';
import { definitionWarnings, kindsIn, readPinnedApp } from '@weft/nodes/descriptors';
import { storedTypeOf } from '@weft/app-model/kinds';
import type { FieldError } from '@weft/service-kit/errors';
import type { PinApps } from '../apps/pin-apps';
import { CredentialNotGranted, toFieldErrors } from '../errors';
import {
  linkCredentials,
  type CredentialLink,
  type FindCredentials,
  type GivenCredentials,
  type NamingWorkflow,
  type StoredTypeOf,
} from './link-credentials';
import type { ParsedDefinition } from './parse-definition';
import { readCompleted } from './type-version-defaults';
import type { TypeVersionDefault } from '../workflows/workflow';

/** A credential that a definition names and that its runs may not use, with the field that names it. */
export interface CredentialRefusal extends FieldError {
  readonly credentialId: string;
}

/** A definition as POST, PUT, activation and checks read it, with its credentials linked. */
export interface ExaminedDefinition extends ParsedDefinition {
  readonly links: readonly CredentialLink[];
  /** The current revisions of the user-defined apps that its nodes use. */
  readonly apps: readonly PinnedApp[];
  /** Keep the definition from being stored or activated. */
  readonly refusals: readonly CredentialRefusal[];
  /** Parts without effect, and those that will make runs fail: they do not prevent an activation. */
  readonly warnings: readonly FieldError[];
}

/** The workflow that a definition is examined for. */
export interface ExaminedFor extends NamingWorkflow {
  /** Versions of nodes that set none, as resolved when the definition was stored. */
  readonly typeVersions?: readonly TypeVersionDefault[];
  /** Credentials that the caller chose. */
  readonly given?: GivenCredentials;
}

/** Examines a definition for its owner. @throws Unavailable if credentials cannot be looked up */
export type ExamineDefinition = (parsed: ParsedDefinition, target: ExaminedFor) => Promise<ExaminedDefinition>;

const FIX = 'Create it and save or activate the workflow again, or choose another one.';

const faultOf = ({ storedType: type, id, name, found }: CredentialLink): string | undefined => {
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
    case 'name':
    case 'given':
    case 'unchecked':
      return undefined;
  }
};

/** Warnings about credentials that enabled nodes use and that were not found. */
const credentialWarnings = (definition: WorkflowDefinition, links: readonly CredentialLink[]): DefinitionError[] => {
  const kinds = kindsIn(definition);
  const nodes = new Map(definition.nodes.map((node) => [node.name, node]));
  return links.flatMap((link) => {
    const node = nodes.get(link.node);
    const descriptor = node === undefined ? undefined : descriptorAmong(node, kinds);
    const fault = link.found.refusal === undefined ? faultOf(link) : undefined;
    if (node === undefined || descriptor === undefined || node.disabled === true || fault === undefined) return [];
    if (!usesCredential(node, descriptor, link.type)) return [];
    return [{ node: link.node, field: `credentials.${link.type}`, message: `Node "${link.node}": ${fault}` }];
  });
};

/** The refusals among links. Disabled nodes count: a user who inherits the workflow may enable them. */
const refusalsOf = (links: readonly CredentialLink[]): CredentialRefusal[] =>
  links.flatMap(({ index, type, id, found }) =>
    found.refusal === undefined
      ? []
      : [{ field: `nodes[${index}].credentials.${type}`, message: found.refusal, credentialId: found.id ?? id }],
  );

/**
 * Refuses a definition that names a credential which its runs may not use: a user who inherits the workflow would lend
 * its author the right to it.
 * @throws CredentialNotGranted
 */
export const refuseLackedCredentials = ({ refusals }: Pick<ExaminedDefinition, 'refusals'>): void => {
  const [first] = refusals;
  if (first === undefined) return;
  throw new CredentialNotGranted(
    first,
    refusals.map(({ field, message }) => ({ field, message })),
  );
};

/** The stored types of credentials that nodes of apps name by other ones. */
const storedTypesOf = (apps: readonly PinnedApp[]): StoredTypeOf => {
  if (apps.length === 0) return (_nodeType, type) => type;
  const documents = apps.flatMap((app) => app.kinds.map((kind) => [kind, readPinnedApp(app)] as const));
  const byKind = new Map(documents);
  return (nodeType, type) => {
    const app = byKind.get(kindNameOf(nodeType) ?? '');
    return app === undefined ? type : storedTypeOf(app, type);
  };
};

/** Creates the reader that everything that stores or checks a definition shares. */
export const createExamineDefinition = (findCredentials: FindCredentials, pinApps: PinApps): ExamineDefinition =>
  async function examineDefinition(parsed, { typeVersions = [], given, ...workflow }) {
    const apps = await pinApps(parsed.value);
    const { value, links } = await linkCredentials(parsed.value, workflow, findCredentials, given, storedTypesOf(apps));
    const definition = readCompleted(value, { typeVersions, apps });
    const warnings = [...credentialWarnings(definition, links), ...definitionWarnings(definition)];
    return {
      name: parsed.name,
      value,
      text: value === parsed.value ? parsed.text : JSON.stringify(value),
      links,
      apps,
      refusals: refusalsOf(links),
      warnings: toFieldErrors(definition, warnings.slice(0, MAX_FIELD_ERRORS)),
    };
  };
