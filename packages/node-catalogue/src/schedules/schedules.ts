import { isJsonObject, objectField, type Json } from '@weft/service-kit/json-values';
import { timezoneOf, type DefinitionError, type NodeDefinition, type WorkflowDefinition } from '../definition';
import { kindOf } from '../checks/kind-of';
import { plainValue } from '../parameters';
import { readCronRule, readIntervalRule, readPollRule, readScheduleRule } from './read-schedule';
import { schedulePolicyErrors } from './schedule-policy';
import type { RuleReading, Schedule } from './schedule-rule';

/** Maximum number of rules of one trigger node. */
export const MAX_RULES_PER_NODE = 50;

/**
 * All schedules that a workflow has while it is active. Disabled nodes have none; rules with errors are left out
 * (`scheduleErrors`).
 * @param workflowId makes the values of `H` in cron expressions differ between workflows
 */
export function schedulesOf(definition: WorkflowDefinition, workflowId = ''): Schedule[] {
  const timezone = timezoneOf(definition);
  return definition.nodes.flatMap((node) =>
    readings(node, workflowId).flatMap((reading, index): Schedule[] =>
      reading.kind === 'rule'
        ? [{ node: node.name, index, rule: reading.rule, ...(timezone === undefined ? {} : { timezone }) }]
        : [],
    ),
  );
}

/** Errors in the rules and in the zone of a workflow's schedules. */
export function scheduleErrors(definition: WorkflowDefinition): DefinitionError[] {
  const errors: DefinitionError[] = definition.nodes.flatMap((node) =>
    readings(node, '').flatMap((reading, index) =>
      reading.kind === 'error'
        ? [{ node: node.name, field: `rule[${index}]`, message: `Node "${node.name}": ${reading.message}` }]
        : [],
    ),
  );
  errors.push(...schedulePolicyErrors(definition));
  const timezone = timezoneOf(definition);
  if (timezone === undefined || isTimezone(timezone)) return errors;
  return [
    ...errors,
    { field: 'settings.timezone', message: `"${timezone}" is not a time zone. Use a name such as Europe/Berlin.` },
  ];
}

/** Kinds of triggers that ask a server for events at the times of their `pollTimes`. */
const POLLING_KINDS: ReadonlySet<string> = new Set([
  'airtableTrigger',
  'emailReadImap',
  'gmailTrigger',
  'googleCalendarTrigger',
  'googleDriveTrigger',
  'googleSheetsTrigger',
  'notionTrigger',
  'rssFeedReadTrigger',
]);

/** True for a trigger kind that asks a server for events at the times of its `pollTimes`. */
export function isPollingKind(kind: string | undefined): boolean {
  return kind !== undefined && POLLING_KINDS.has(kind);
}

function readings(node: NodeDefinition, workflowId: string): RuleReading[] {
  if (node.disabled === true) return [];
  const kind = kindOf(node.type) ?? '';
  const read = (stated: Json | undefined, initial: Json, readRule: (entry: Json, seed: string) => RuleReading) =>
    entries(stated, initial).map((entry, index) => readRule(entry, `${workflowId} ${node.name} ${index}`));
  if (isPollingKind(kind))
    return read(objectField(node.parameters, 'pollTimes')?.['item'], { mode: 'everyMinute' }, readPollRule);
  switch (kind) {
    case 'scheduleTrigger':
      return read(objectField(node.parameters, 'rule')?.['interval'], { field: 'days' }, readScheduleRule);
    case 'cron':
      return read(objectField(node.parameters, 'triggerTimes')?.['item'], { mode: 'everyDay' }, readCronRule);
    case 'interval':
      return [readIntervalRule(plainValue(node.parameters))];
    default:
      return [];
  }
}

/** The rules of a node; if it has none, the first one of its form. */
function entries(stated: Json | undefined, initial: Json): Json[] {
  if (stated === undefined || stated === null) return [initial];
  const list = Array.isArray(stated) ? stated : [stated];
  return list
    .filter(isJsonObject)
    .slice(0, MAX_RULES_PER_NODE)
    .map((entry) => plainValue(entry));
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}
