import { WaitingInputs } from './waiting-inputs';

const from = (node: string) => ({ previousNode: node });

describe('WaitingInputs', () => {
  it('joins the first of every input, then the second', () => {
    const inputs = new WaitingInputs(2);
    inputs.add(0, from('a'));
    inputs.add(0, from('b'));
    expect(inputs.isComplete()).toBe(false);
    inputs.add(1, from('x'));
    expect(inputs.isComplete()).toBe(true);
    expect(inputs.take()).toEqual([from('a'), from('x')]);
    expect(inputs.take()).toEqual([from('b'), null]);
    expect(inputs.isEmpty()).toBe(true);
  });

  it('preserves its order and its stored form over many arrivals', () => {
    const inputs = new WaitingInputs(1);
    for (let n = 0; n < 200; n += 1) inputs.add(0, from(String(n)));
    const taken = Array.from({ length: 150 }, () => inputs.take()[0]?.previousNode);
    expect(taken).toEqual(Array.from({ length: 150 }, (_, n) => String(n)));
    const again = new WaitingInputs(1, inputs.state());
    expect(again.take()).toEqual([from('150')]);
  });
});
