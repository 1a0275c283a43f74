import { type FormEvent, type ReactNode, useState } from 'react';
import { Modal } from '../overlays/dialog';
import { Failure } from '../states';
import { RefusedFields, refusedFieldsOf } from './fields';

/** Work that is done once at a time, with its failure. */
export interface Submission {
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly run: () => Promise<void>;
}

/** Runs work for a form or button. */
export const useSubmission = (work: () => Promise<void>): Submission => {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run };
};

/** A form with its button; it shows why it was refused and marks the fields. */
export const Form = ({
  action,
  submit,
  children,
  cancel,
  isDisabled = false,
  className = '',
}: {
  /** Text of the button. */
  action: string;
  submit: () => Promise<void>;
  children: ReactNode;
  /** Absent: there is nothing to go back to. */
  cancel?: (() => void) | undefined;
  isDisabled?: boolean;
  className?: string;
}) => {
  const { isBusy, error, run } = useSubmission(submit);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  return (
    <form className={`form ${className}`} onSubmit={onSubmit}>
      <RefusedFields value={refusedFieldsOf(error)}>{children}</RefusedFields>
      {error !== undefined && <Failure error={error} />}
      <div className="dfoot">
        {cancel !== undefined && (
          <button type="button" className="btn" onClick={cancel}>
            Cancel
          </button>
        )}
        <button type="submit" className="btn primary" disabled={isDisabled} aria-disabled={isBusy}>
          {action}
        </button>
      </div>
    </form>
  );
};

/** A form in a dialog, which closes after it was accepted. */
export const FormDialog = ({
  title,
  action,
  submit,
  close,
  children,
  isDisabled = false,
}: {
  title: string;
  action: string;
  submit: () => Promise<void>;
  close: () => void;
  children: ReactNode;
  isDisabled?: boolean;
}) => (
  <Modal title={title} close={close}>
    <Form
      action={action}
      cancel={close}
      isDisabled={isDisabled}
      submit={async () => {
        await submit();
        close();
      }}
    >
      {children}
    </Form>
  </Modal>
);
