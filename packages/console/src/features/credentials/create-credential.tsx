import type { Credential, CredentialType } from '@weft/client';
import { Modal } from '../../ui/overlays/dialog';
import { CredentialForm } from './credential-form';

/** Creates a credential on top of another page, such as the editor of a workflow. */
export const CreateCredential = ({
  type,
  suggestedName,
  suggestedOwner,
  onCreated,
  close,
}: {
  type: CredentialType;
  /** The name that the node asks for; absent: that of the type. */
  suggestedName: string | undefined;
  /** Id of the project or user who owns the workflow. */
  suggestedOwner?: string | undefined;
  onCreated: (created: Pick<Credential, 'id' | 'name'>) => void;
  close: () => void;
}) => (
  <Modal title={`New credential: ${type.label}`} close={close}>
    <div className="dbody">
      <CredentialForm
        type={type}
        {...(suggestedName === undefined ? {} : { suggestedName })}
        {...(suggestedOwner === undefined ? {} : { suggestedOwner })}
        onCreated={(created) => {
          onCreated(created);
          close();
        }}
        cancel={close}
      />
    </div>
  </Modal>
);
