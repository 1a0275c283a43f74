import { resumeSession } from '../api/client';
import { queryClient, sessionQuery } from '../api/queries';
import { SignInForm } from '../features/sign-in/sign-in';
import { Modal } from '../ui/overlays/dialog';
import { eraseWork } from './erase';

/** Shown on top of the page when its session has ended: nothing on the page is lost. */
export const SessionDialog = () => (
  <Modal title="Sign in again" close={() => undefined} isClosable={false}>
    <p className="soft">Your session has ended. After you sign in, the page continues where it stopped.</p>
    <SignInForm
      then={(person) => {
        const before = queryClient.getQueryData(sessionQuery.queryKey);
        // Another person must not see what the first one had open.
        if (before?.id !== person.id) {
          void eraseWork().then(() => location.reload());
          return;
        }
        resumeSession();
        void queryClient.invalidateQueries();
      }}
    />
  </Modal>
);
