import { createPeerTrust } from './peer-trust';

describe('the trust of peers in a process', () => {
  let now = 0;
  const trust = () => createPeerTrust(() => now);

  it('is lost when two peers refuse its tokens, and names them', () => {
    const peers = trust();
    peers.refused('workflows');
    peers.refused('workflows');
    expect(peers.fault()).toBeUndefined();
    peers.refused('executions');
    expect(peers.fault()).toContain('executions and workflows');
  });

  it('returns when one of them accepts a call, or has not refused any for a minute', () => {
    const peers = trust();
    peers.refused('workflows');
    peers.refused('executions');
    peers.accepted('executions');
    expect(peers.fault()).toBeUndefined();
    peers.refused('executions');
    expect(peers.fault()).toBeDefined();
    now += 60_001;
    expect(peers.fault()).toBeUndefined();
  });
});
