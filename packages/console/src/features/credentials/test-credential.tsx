import type { CredentialCheck, CredentialType } from '@weft/client';
import { useState } from 'react';
import { weft } from '../../api/client';
import { TextField } from '../../ui/forms/fields';
import { Form } from '../../ui/forms/form';
import { Icon } from '../../ui/icon';
import { createStore, useStore } from '../../ui/store';
import { Ago } from '../../ui/values/time';

interface TestResult extends CredentialCheck {
  /** When it was tested. */
  readonly at: string;
}

/** The last test of each credential from this page; the server stores none. */
const lastTests = createStore<ReadonlyMap<string, TestResult>>(new Map());

const LOOKS = {
  ok: { tone: 'success', icon: 'success', word: 'Accepted' },
  error: { tone: 'error', icon: 'error', word: 'Refused' },
  untestable: { tone: 'neutral', icon: 'neutral', word: 'Cannot be tested' },
} as const;

/** State of the last test in this browser tab. */
export const LastTest = ({ id }: { id: string }) => {
  const last = useStore(lastTests).get(id);
  if (last === undefined) return <span className="faint">not tested here</span>;
  const { tone, icon, word } = LOOKS[last.status];
  return (
    <span className="last">
      <span className={`st ${tone}`} title={last.message}>
        <Icon name={icon} />
        {word}
      </span>
      <span className="faint">
        <Ago at={last.at} />
      </span>
    </span>
  );
};

/** Tests a credential against its service. */
export const TestCredential = ({ id, type }: { id: string; type: CredentialType | undefined }) => {
  const [url, setUrl] = useState('');
  const last = useStore(lastTests).get(id);
  if (type !== undefined && type.test === undefined)
    return <p className="soft">Credentials of this type cannot be tested: there is no request without an effect.</p>;
  const asksAddress = type?.test?.kind === 'address';
  const test = async (): Promise<void> => {
    const { data } = await weft.call('testCredential', { path: { id }, body: asksAddress ? { url } : {} });
    lastTests.set(new Map(lastTests.get()).set(id, { ...data, at: new Date().toISOString() }));
  };
  return (
    <Form action="Test" submit={test}>
      {asksAddress ? (
        <TextField
          name="url"
          label="Address to try"
          type="url"
          value={url}
          change={setUrl}
          maxLength={2_000}
          isRequired
          isCode
          hint="It must answer a GET with 2xx only if the credential is right."
        />
      ) : (
        <p className="soft">Signs in, or sends one harmless request, for at most 10 seconds.</p>
      )}
      <div role="status">
        {last !== undefined && (
          <p className="outcomeline">
            <LastTest id={id} />
            <span className="soft">{last.message}</span>
          </p>
        )}
      </div>
    </Form>
  );
};
