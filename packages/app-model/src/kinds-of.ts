import {
  CREDENTIAL_TYPES,
  type CredentialDescriptor,
  type Json,
  type KindDescriptor,
  type OptionDescriptor,
  type ParameterDescriptor,
} from '@weft/node-catalogue';
import type { AppDocument, AppKind, AppOption, AppParameter } from './app-document.gen';
import { operationKey } from './operation-key';

/** The kinds of an app as the catalogue describes kinds. Operations that the app does not build are refused. */
export function kindsOf(app: AppDocument): KindDescriptor[] {
  return Object.entries(app.kinds).map(([kind, content]) => ({
    kind,
    label: content.label,
    description: content.description,
    versions: content.versions,
    groups: content.groups,
    isTrigger: content.operations === undefined,
    inputs: content.operations === undefined ? [] : ['main'],
    outputs: ['main'],
    credentials: (content.credentials ?? []).map((one) => credentialOf(app, one)),
    ...(content.operations === undefined || content.usableAsTool === false ? {} : { usableAsTool: {} }),
    parameters: content.parameters.map((one) => withRefusals(one, app, content)),
    ...(content.differs === undefined ? {} : { differs: content.differs }),
  }));
}

function credentialOf(
  app: AppDocument,
  { type, shownWhen }: NonNullable<AppKind['credentials']>[number],
): CredentialDescriptor {
  const storedType = storedTypeOf(app, type);
  return {
    type,
    ...(storedType === type ? {} : { storedType }),
    required: true,
    ...(shownWhen === undefined ? {} : { shownWhen }),
  };
}

/** The type of the stored credentials that nodes of an app name by a type. */
export function storedTypeOf({ credentials }: Pick<AppDocument, 'credentials'>, type: string): string {
  const use = Object.hasOwn(credentials, type) ? credentials[type] : undefined;
  return typeof use === 'object' && 'as' in use ? use.as : type;
}

/** Keys of all operations that the parameters of a kind can select. */
export function operationsOf(parameters: readonly AppParameter[]): ReadonlySet<string> {
  const operations = parameters.filter(({ name }) => name === 'operation');
  const resources = parameters.filter(({ name }) => name === 'resource').flatMap(({ options = [] }) => options);
  // A version may have one operation, and no parameter to select it.
  const isSingle =
    operations.every(({ since }) => since !== undefined) && (operations.length > 0 || resources.length === 0);
  return new Set([
    ...(isSingle ? ['default'] : []),
    ...operations.flatMap(({ options = [], shownWhen }) =>
      options.flatMap(({ value }) => {
        const of = shownWhen?.['resource'];
        if (of !== undefined) return of.map((resource) => operationKey({ resource, operation: value }));
        // The resource may be hidden.
        const all = resources.map((resource) => operationKey({ resource: resource.value, operation: value }));
        return [operationKey({ operation: value }), ...all];
      }),
    ),
  ]);
}

function withRefusals(one: AppParameter, app: AppDocument, kind: AppKind): ParameterDescriptor {
  const { options, name } = one;
  if (options === undefined || (name !== 'resource' && name !== 'operation')) return one;
  const built = Object.keys(kind.operations ?? {});
  const isBuilt = (value: Json): boolean => {
    if (name === 'resource') return built.some((key) => key.startsWith(`${String(value)}.`));
    const resources = one.shownWhen?.['resource'] ?? [];
    return resources.length === 0
      ? built.some((key) => key === value || key.endsWith(`.${String(value)}`))
      : resources.some((resource) => built.includes(operationKey({ resource, operation: value })));
  };
  return { ...one, options: options.map((option) => (isBuilt(option.value) ? option : refused(option, name, app))) };
}

function refused(option: AppOption, name: 'resource' | 'operation', app: AppDocument): OptionDescriptor {
  if (option.refused !== undefined) return option;
  const [type] = Object.keys(app.credentials)
    .map((one) => storedTypeOf(app, one))
    .filter((one) => CREDENTIAL_TYPES.has(one));
  const instead =
    type === undefined
      ? 'Call the API with an "httpRequest" node.'
      : `Call the API with an "httpRequest" node and a credential of type ${type}.`;
  return { ...option, refused: `The ${name} "${option.label}" of ${app.label} is not available yet. ${instead}` };
}
