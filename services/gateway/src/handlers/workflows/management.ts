import type { Management, ManagementChange } from '@weft/proto/workflows';
import { quote, timeText } from '../../http/json-text';
import { choiceParameter, optionalText, type Query, type QueryParameter } from '../../http/read-query';
import { component, described, type Fields, ID, oneOf, record, TEXT, TIME } from '../../openapi/schema';

/** Tools that manage workflows, by their names. */
const MANAGERS: ReadonlyMap<string, string> = new Map(['cli', 'kubernetes'].map((name) => [name, name]));

const KEY_PATTERN = '^[a-z0-9][a-z0-9./-]{0,249}$';
const SET_DESCRIPTION = 'The set that the workflow belongs to.';

const NEW_KEY = optionalText('key', 'A key of your choice, unique within the instance.', { pattern: KEY_PATTERN });
const CHANGED_KEY = optionalText('key', 'As for a creation; empty: removes the key.', { maxLength: 250 });
const MANAGED_BY = choiceParameter('managedBy', MANAGERS, 'The tool that manages the workflow.');
const STILL_MANAGED_BY = choiceParameter(
  'managedBy',
  new Map([...MANAGERS, ['', '']]),
  'The tool that manages the workflow; empty: the management ends.',
);
const SET = optionalText('set', SET_DESCRIPTION, { maxLength: 250 });
const SOURCE = optionalText('source', 'Where the definition comes from, for example a file.');

/** Query parameters of a creation. */
export const CREATION_QUERY: readonly QueryParameter<unknown>[] = [NEW_KEY, MANAGED_BY, SET, SOURCE];

/** Query parameters of a replacement. */
export const REPLACEMENT_QUERY: readonly QueryParameter<unknown>[] = [CHANGED_KEY, STILL_MANAGED_BY, SET, SOURCE];

/** Key and management of a write. */
interface WrittenManagement {
  readonly key?: string;
  readonly management?: ManagementChange;
}

/** Reads key and management of a creation or a replacement. The service checks them. @throws InvalidRequest */
export const readManagement = (query: Query): WrittenManagement => {
  const key = CHANGED_KEY.read(query);
  const [by, set, source] = [STILL_MANAGED_BY.read(query), SET.read(query), SOURCE.read(query)];
  const isChanged = by !== undefined || set !== undefined || source !== undefined;
  const management = { by: by ?? '', set: set ?? '', source: source ?? '' };
  return { ...(key === undefined ? {} : { key }), ...(isChanged ? { management } : {}) };
};

const OF_KEY = optionalText('key', 'Only the workflow with this key.', { pattern: KEY_PATTERN });
const OF_MANAGER = choiceParameter('managedBy', MANAGERS, 'Only workflows that this tool manages.');
const OF_SET = optionalText('set', 'Only workflows of this set.', { maxLength: 250 });

/** Filters of the list. */
export const MANAGEMENT_FILTERS: readonly QueryParameter<unknown>[] = [OF_KEY, OF_MANAGER, OF_SET];

/** Reads the filters of the list. @throws InvalidRequest */
export const readManagementFilters = (query: Query) => {
  const [key, managedBy, set] = [OF_KEY.read(query), OF_MANAGER.read(query), OF_SET.read(query)];
  return {
    ...(key === undefined ? {} : { key }),
    ...(managedBy === undefined ? {} : { managedBy }),
    ...(set === undefined ? {} : { set }),
  };
};

/** Members of a summary that only managed workflows, or those with a key, have. */
export const MANAGEMENT_FIELDS: Fields = {
  key: described('Absent: the workflow has none.', TEXT),
  managed: component(
    'Management',
    described(
      'Absent: the workflow is not managed. If `appliedVersionId` is not its `versionId`, it was changed elsewhere.',
      record({
        by: oneOf(...MANAGERS.keys()),
        set: described('Empty: none.', TEXT),
        source: described('Empty: not known.', TEXT),
        appliedVersionId: ID,
        appliedAt: TIME,
      }),
    ),
  ),
};

/** The members of `MANAGEMENT_FIELDS` that a workflow has, each with a comma in front. */
export const managementText = (key: string | undefined, managed: Management | undefined): string => {
  const keyText = key === undefined ? '' : `,"key":${quote(key)}`;
  if (managed === undefined) return keyText;
  const { by, set, source, appliedVersionId, appliedAt } = managed;
  return (
    `${keyText},"managed":{"by":${quote(by)},"set":${quote(set)},"source":${quote(source)},` +
    `"appliedVersionId":${quote(appliedVersionId)},"appliedAt":${timeText(appliedAt)}}`
  );
};
