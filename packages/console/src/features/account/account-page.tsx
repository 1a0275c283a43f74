import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { callerQuery } from '../../api/queries';
import { setSingleKeys, singleKeys } from '../../app/shortcuts';
import { signOutEverywhere } from '../../app/sign-out';
import { Confirm } from '../../ui/overlays/dialog';
import { CheckField } from '../../ui/forms/fields';
import { Section } from '../../ui/lists/section';
import { PageHead } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { useStore } from '../../ui/store';
import { ChangePassword } from './change-password';

/** The user's own account: password, sessions and shortcuts. */
export const AccountPage = () => {
  const query = useQuery(callerQuery);
  const isOn = useStore(singleKeys);
  const [isLeaving, setLeaving] = useState(false);
  const user = query.data?.user;
  return (
    <>
      <PageHead title="Account" />
      <div className="page">
        {query.isPending && <Loading label="Loading the account" />}
        {query.isError && user === undefined && (
          <ErrorState error={query.error} what="the account" retry={() => void query.refetch()} />
        )}
        {user !== undefined && (
          <div className="parts">
            <Section title="User">
              <dl className="factlist">
                <div>
                  <dt>Email</dt>
                  <dd>{user.email}</dd>
                </div>
                {user.name !== '' && (
                  <div>
                    <dt>Name</dt>
                    <dd>{user.name}</dd>
                  </div>
                )}
                <div>
                  <dt>Role</dt>
                  <dd>{user.role}</dd>
                </div>
              </dl>
              <p className="linkline">
                <Link className="lnk" to="/keys">
                  API keys
                </Link>
              </p>
            </Section>
            <Section
              title="Password"
              hint="Your sessions in other browsers end. API keys keep working. Without a password, such as with single sign-on, ask an admin for a link."
            >
              <ChangePassword email={user.email} />
            </Section>
            <Section
              title="Sessions"
              hint="If you left a browser signed in somewhere, end all your sessions. API keys keep working."
            >
              <div>
                <button type="button" className="btn" onClick={() => setLeaving(true)}>
                  Sign out everywhere
                </button>
              </div>
            </Section>
            <Section title="Keyboard">
              <CheckField
                label="Use shortcuts without Ctrl"
                value={isOn}
                change={setSingleKeys}
                hint="Such as g w for workflows and / for the search field. The setting is for this browser."
              />
            </Section>
          </div>
        )}
      </div>
      {isLeaving && user !== undefined && (
        <Confirm
          title="Sign out everywhere?"
          action="Sign out everywhere"
          close={() => setLeaving(false)}
          act={() => signOutEverywhere(user.id)}
        >
          <p>All your sessions end, in this and every other browser. API keys keep working.</p>
        </Confirm>
      )}
    </>
  );
};
