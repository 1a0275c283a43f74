import { AuditOutcome, type AuditEntry } from '@weft/proto/audit';
import { type FieldError, InvalidRequest } from '@weft/service-kit/errors';
import { type FieldReader, readFields, readTime } from '../http/body-fields';
import { quote, timeText } from '../http/json-text';
import { readLimit } from '../http/read-query';
import type { IdentityHandler } from './identity-handler';

/** Query parameters of the list. */
export const AUDIT_QUERY = ['limit', 'cursor', 'actor', 'action', 'target', 'from', 'to'];

const OUTCOMES: Readonly<Record<AuditOutcome, string>> = {
  [AuditOutcome.AUDIT_OUTCOME_UNSPECIFIED]: 'done',
  [AuditOutcome.AUDIT_OUTCOME_DONE]: 'done',
  [AuditOutcome.AUDIT_OUTCOME_REFUSED]: 'refused',
};

const entryText = ({ id, at, action, actor, about, outcome, clientAddress, requestId, service }: AuditEntry): string =>
  `{"id":${quote(id)},"at":${timeText(at)},"action":${quote(action)},"actor":${quote(actor)},` +
  `"about":${JSON.stringify(about)},"outcome":${quote(OUTCOMES[outcome])},` +
  `"clientAddress":${quote(clientAddress)},"requestId":${quote(requestId)},"service":${quote(service)}}`;

const DEFAULT_LIMIT = 20;

/** GET /audit, an addition: who did what, newest first, always a page. */
export const listAudit: IdentityHandler = async ({ query, principal }, { audit }) => {
  const errors: FieldError[] = [];
  const fields: FieldReader = readFields(Object.fromEntries(query), errors);
  const [from, to] = [readTime(fields, 'from'), readTime(fields, 'to')];
  if (errors.length > 0) throw new InvalidRequest('The query string is invalid.', errors);
  const { entries, nextCursor } = await audit.list(
    {
      limit: readLimit(query) ?? DEFAULT_LIMIT,
      cursor: query.get('cursor') ?? '',
      actor: query.get('actor') ?? '',
      action: query.get('action') ?? '',
      target: query.get('target') ?? '',
      from,
      to,
    },
    principal,
  );
  const next = nextCursor === '' ? 'null' : quote(nextCursor);
  return { status: 200, json: `{"data":[${entries.map(entryText).join(',')}],"nextCursor":${next}}` };
};
