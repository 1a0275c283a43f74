import type { TriggerRegistration } from '@weft/client';
import { CopyButton } from '../../../ui/values/copy';
import { plural } from '../../../ui/values/format';
import { Icon, type IconName } from '../../../ui/icon';
import { At } from '../../../ui/values/time';

const STATES: Readonly<
  Record<TriggerRegistration['state'], { readonly text: string; readonly tone: string; readonly icon: IconName }>
> = {
  registered: { text: 'Registered', tone: 'success', icon: 'success' },
  waiting: { text: 'Waiting', tone: 'waiting', icon: 'waiting' },
  failed: { text: 'Failed', tone: 'error', icon: 'error' },
  manual: { text: 'Entered by you', tone: 'neutral', icon: 'neutral' },
};

/** Whether the service calls the address of a trigger. */
export const RegistrationState = ({ registration: { state } }: { registration: TriggerRegistration }) => {
  const { text, tone, icon } = STATES[state];
  return (
    <span className={`st ${tone}`}>
      <Icon name={icon} />
      {text}
    </span>
  );
};

/** The reason of a failure, the time at which the service is asked next, and the address. */
export const RegistrationFacts = ({
  registration: { state, message, failures, nextAt, url },
}: {
  registration: TriggerRegistration;
}) => (
  <>
    {state === 'failed' && (
      <p className="st error wraps">
        <span>{message}</span>
      </p>
    )}
    {state === 'failed' && failures > 1 && <p className="faint">{plural(failures, 'attempt')} failed.</p>}
    {nextAt !== null && (
      <p className="faint">
        {state === 'registered' ? 'Next check: ' : 'Next attempt: '}
        <At at={nextAt} />
      </p>
    )}
    {state === 'manual' && <p className="faint">Enter this address in the app of the service:</p>}
    <p className="urlline">
      <code className="clip" title={url}>
        {url}
      </code>
      <CopyButton text={url} label="Copy the address" />
    </p>
  </>
);

/** The triggers of apps of a workflow. */
export const Registrations = ({ registrations }: { registrations: readonly TriggerRegistration[] }) => (
  <>
    <h2>Triggers of apps</h2>
    <section className="card scrolls" aria-label="Triggers of apps" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th>Node</th>
            <th>State</th>
            <th>Address</th>
          </tr>
        </thead>
        <tbody>
          {registrations.map((registration) => (
            <tr key={registration.url}>
              <td>
                <b>{registration.node}</b>
              </td>
              <td>
                <RegistrationState registration={registration} />
              </td>
              <td className="wrapcell">
                <RegistrationFacts registration={registration} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </>
);
