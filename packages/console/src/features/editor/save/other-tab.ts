import { useEffect, useState } from 'react';

type Signal = 'hello' | 'here' | 'bye';

const isSignal = (value: unknown): value is { readonly workflowId: string; readonly signal: Signal } =>
  typeof value === 'object' && value !== null && 'workflowId' in value && 'signal' in value;

/** True while a tab of this browser that was opened earlier shows the same workflow. */
export const useOtherTab = (workflowId: string): boolean => {
  const [hasOther, setOther] = useState(false);
  useEffect(() => {
    const channel = new BroadcastChannel('weft-editor');
    let isSecond = false;
    let isHidden = false;
    const send = (signal: Signal): void => channel.postMessage({ workflowId, signal });
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (!isSignal(data) || data.workflowId !== workflowId) return;
      if (data.signal === 'hello' && !isSecond && !isHidden) send('here');
      else if (data.signal === 'here') setOther((isSecond = true));
      else if (data.signal === 'bye' && isSecond) {
        setOther((isSecond = false));
        // Of several remaining tabs, one is the first.
        send('hello');
      }
    };
    const leave = (): void => {
      isHidden = true;
      send('bye');
    };
    const arrive = (): void => {
      isHidden = false;
      send('hello');
    };
    arrive();
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', arrive);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', arrive);
      leave();
      channel.close();
    };
  }, [workflowId]);
  return hasOther;
};
