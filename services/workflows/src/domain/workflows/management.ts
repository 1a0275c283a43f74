import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import type { Management, Manager, Version, Workflow } from './workflow';

/** Changes of the key and the management of a workflow; undefined: unchanged. */
export interface ManagementChange {
  /** Empty: removes the key. */
  readonly key: string | undefined;
  readonly management: WantedManagement | undefined;
}

/** Management as a write sets it; without `by` it ends. */
export interface WantedManagement {
  readonly by: Manager | undefined;
  readonly set: string;
  readonly source: string;
}

const KEY = /^[a-z0-9][a-z0-9./-]{0,249}$/;
const MAX_SET_LENGTH = 250;
const MAX_SOURCE_LENGTH = 500;

const textErrors = (field: string, text: string, maximum: number): FieldError[] =>
  text.length <= maximum && text.isWellFormed() && !/\p{Cc}/u.test(text)
    ? []
    : [{ field, message: `must have at most ${maximum} characters, without control characters.` }];

const MANAGERS: readonly Manager[] = ['cli', 'kubernetes'];

/** The manager with this name; undefined for an empty name. @throws InvalidRequest for one that is not known */
export const readManager = (name: string): Manager | undefined => {
  const manager = MANAGERS.find((one) => one === name);
  if (manager === undefined && name !== '')
    throw new InvalidRequest('The manager is not known.', [
      { field: 'managedBy', message: `must be one of ${MANAGERS.join(', ')}.` },
    ]);
  return manager;
};

/** The errors of a key that workflows are to get or are listed by. */
export const keyErrors = (key: string): FieldError[] =>
  KEY.test(key)
    ? []
    : [
        {
          field: 'key',
          message: 'must be 1 to 250 of a-z, 0-9, ".", "/" and "-", and begin with a letter or digit.',
        },
      ];

const managementErrors = ({ by, set, source }: WantedManagement): FieldError[] =>
  by === undefined && (set !== '' || source !== '')
    ? [{ field: 'managedBy', message: 'is required with set and source.' }]
    : [...textErrors('set', set, MAX_SET_LENGTH), ...textErrors('source', source, MAX_SOURCE_LENGTH)];

/** @throws InvalidRequest for an invalid key, set or source */
export const checkManagement = ({ key, management }: ManagementChange, isNew: boolean): void => {
  const errors = [
    ...(key === undefined || (key === '' && !isNew) ? [] : keyErrors(key)),
    ...(management === undefined ? [] : managementErrors(management)),
  ];
  if (errors.length > 0) throw new InvalidRequest('The workflow cannot be stored.', errors);
};

type Managed = Pick<Workflow, 'key' | 'managed'>;

const managedAfter = (
  before: Management | undefined,
  wanted: WantedManagement | undefined,
  { id, createdAt }: Pick<Version, 'id' | 'createdAt'>,
): Management | undefined => {
  if (wanted === undefined) return before;
  const { by, set, source } = wanted;
  return by === undefined ? undefined : { by, set, source, appliedVersionId: id, appliedAt: createdAt };
};

/** Key and management of a workflow after a write of a version. */
export const afterWrite = (
  before: Managed,
  change: ManagementChange,
  version: Pick<Version, 'id' | 'createdAt'>,
): Managed => {
  const key = change.key === undefined ? before.key : change.key;
  const managed = managedAfter(before.managed, change.management, version);
  return {
    ...(key === undefined || key === '' ? {} : { key }),
    ...(managed === undefined ? {} : { managed }),
  };
};

/**
 * Management after an activation has stored a version with linked credentials: that is no change made elsewhere, so a
 * workflow without drift stays without drift.
 */
export const afterRelink = (seen: Workflow, versionId: string): Pick<Workflow, 'managed'> =>
  seen.managed?.appliedVersionId === seen.versionId
    ? { managed: { ...seen.managed, appliedVersionId: versionId } }
    : {};
