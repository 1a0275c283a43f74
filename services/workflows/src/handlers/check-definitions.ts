import {
  CredentialHow,
  type CheckedDefinition as CheckedMessage,
  type WorkflowServiceService,
} from '@weft/proto/workflows';
import type { Handlers } from '@weft/service-kit/grpc';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../compose';
import type { CheckedDefinition } from '../domain/definitions/check-definitions';
import type { CredentialHow as How } from '../domain/definitions/link-credentials';
import { userOf } from './access';

const HOW: Readonly<Record<How, CredentialHow>> = {
  given: CredentialHow.CREDENTIAL_HOW_GIVEN,
  id: CredentialHow.CREDENTIAL_HOW_ID,
  name: CredentialHow.CREDENTIAL_HOW_NAME,
  ambiguous: CredentialHow.CREDENTIAL_HOW_AMBIGUOUS,
  none: CredentialHow.CREDENTIAL_HOW_NONE,
  unchecked: CredentialHow.CREDENTIAL_HOW_UNSPECIFIED,
};

const toCheckedMessage = ({ name, stored, errors, ...rest }: CheckedDefinition): CheckedMessage => ({
  name,
  definition: Buffer.from(stored?.text ?? ''),
  hash: stored?.hash ?? '',
  runnable: errors.length === 0,
  errors: [...errors],
  warnings: [...rest.warnings],
  credentials: rest.credentials.map(({ node, type, storedType, name: credential, found: { id, how } }) => ({
    node,
    type,
    storedType,
    name: credential,
    ...(id === undefined ? {} : { id }),
    how: HOW[how],
  })),
  routes: rest.routes.map(({ takenBy, ...route }) => ({ ...route, ...(takenBy === undefined ? {} : { takenBy }) })),
});

/** CheckDefinitions over gRPC. */
export const checkDefinitionsHandler = (
  useCases: Within,
): Pick<Handlers<typeof WorkflowServiceService>, 'checkDefinitions'> => ({
  checkDefinitions: async ({ definitions, projectId, credentials }, context) => {
    const { checkDefinitions } = await scopedTo(useCases, context);
    const request = { definitions, projectId, credentials: new Map(Object.entries(credentials)) };
    return { checked: (await checkDefinitions(request, userOf(context))).map(toCheckedMessage) };
  },
});
