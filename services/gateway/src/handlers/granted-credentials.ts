import type { GrantedCredential } from '@weft/proto/credentials';
import { quote, timeText } from '../http/json-text';
import { component, ID, record, TEXT, TIME } from '../openapi/schema';
import type { ApiHandler } from './api-handler';
import { listAnswer } from './list-answer';

/** Schema of `grantedText`. */
export const GRANTED_CREDENTIAL = component(
  'GrantedCredential',
  record({ id: ID, name: TEXT, type: TEXT, ownerId: ID, grantedAt: TIME }),
);

const grantedText = ({ id, name, type, ownerId, grantedAt }: GrantedCredential): string =>
  `{"id":${quote(id)},"name":${quote(name)},"type":${quote(type)},"ownerId":${quote(ownerId)},` +
  `"grantedAt":${timeText(grantedAt)}}`;

/** GET /projects/:id/granted-credentials, an addition: the credentials granted to a project, for its members. */
export const listGrantedCredentials: ApiHandler = (request, { credentials }) =>
  listAnswer(request, async (page) => {
    const { credentials: found, nextCursor } = await credentials.calls.listGrantedCredentials(
      { ...page, projectId: request.id },
      { principal: request.principal },
    );
    return { entries: found.map(grantedText), nextCursor };
  });
