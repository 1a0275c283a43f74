import { AuditOutcome, type AuditEntry } from '@weft/proto/audit';
import { quote, timeText } from '../http/json-text';
import { CURSOR, LIMIT, PAGE, type QueryParameter, textParameter, timeParameter } from '../http/read-query';
import { component, described, ID, oneOf, record, TEXT, TIME } from '../openapi/schema';
import type { IdentityHandler } from './identity-handler';

const ACTOR = textParameter('actor', 'Only entries of this user id.');
const ACTION = textParameter('action', 'Only entries of this action.');
const TARGET = textParameter('target', 'Only entries about this id.');
const FROM = timeParameter('from', 'Entries of this instant or later.');
const TO = timeParameter('to', 'Entries before this instant.');

/** Query parameters of the list. */
export const AUDIT_QUERY: readonly QueryParameter<unknown>[] = [...PAGE, ACTOR, ACTION, TARGET, FROM, TO];

const OUTCOMES: Readonly<Record<AuditOutcome, string>> = {
  [AuditOutcome.AUDIT_OUTCOME_UNSPECIFIED]: 'done',
  [AuditOutcome.AUDIT_OUTCOME_DONE]: 'done',
  [AuditOutcome.AUDIT_OUTCOME_REFUSED]: 'refused',
};

/** Schema of `entryText`. */
export const AUDIT_ENTRY = component(
  'AuditEntry',
  record({
    id: ID,
    at: TIME,
    action: TEXT,
    actor: described('Id of the user; empty if unknown.', TEXT),
    about: described('Ids that the action concerns, and names.', {
      type: 'object',
      additionalProperties: { type: 'string' },
    }),
    outcome: oneOf('done', 'refused'),
    clientAddress: TEXT,
    requestId: TEXT,
    service: TEXT,
  }),
);

const entryText = ({ id, at, action, actor, about, outcome, clientAddress, requestId, service }: AuditEntry): string =>
  `{"id":${quote(id)},"at":${timeText(at)},"action":${quote(action)},"actor":${quote(actor)},` +
  `"about":${JSON.stringify(about)},"outcome":${quote(OUTCOMES[outcome])},` +
  `"clientAddress":${quote(clientAddress)},"requestId":${quote(requestId)},"service":${quote(service)}}`;

const DEFAULT_LIMIT = 20;

/** GET /audit, an addition: who did what, newest first, always paged. */
export const listAudit: IdentityHandler = async ({ query, principal }, { audit }) => {
  const { entries, nextCursor } = await audit.list(
    {
      limit: LIMIT.read(query) ?? DEFAULT_LIMIT,
      cursor: CURSOR.read(query),
      actor: ACTOR.read(query),
      action: ACTION.read(query),
      target: TARGET.read(query),
      from: FROM.read(query),
      to: TO.read(query),
    },
    principal,
  );
  const next = nextCursor === '' ? 'null' : quote(nextCursor);
  return { status: 200, json: `{"data":[${entries.map(entryText).join(',')}],"nextCursor":${next}}` };
};
