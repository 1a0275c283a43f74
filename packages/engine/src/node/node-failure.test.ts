import { errorRecordOf, messageOf, NodeFailure } from './node-failure';

const node = { name: 'Node', type: 'weft-nodes-base.set' };
const tooDeep = (): unknown => {
  const deeper = (level: number): number => deeper(level + 1) + 1;
  try {
    return deeper(0);
  } catch (thrown) {
    return thrown;
  }
};

describe('a failure that is recorded', () => {
  it('says that data is nested too deep, not that a stack is full', () => {
    const message = 'The data is nested deeper than this node can handle';
    expect(messageOf(tooDeep())).toBe(message);
    expect(errorRecordOf(tooDeep(), node)).toEqual({ name: 'NodeOperationError', message, node });
  });

  it('keeps what the node says, and the name of anything else', () => {
    const failure = new NodeFailure('No.', { itemIndex: 1, description: 'Why.', context: { code: 5 } });
    expect(errorRecordOf(failure, node)).toEqual({
      ...{ name: 'NodeOperationError', message: 'No.', description: 'Why.', node },
      context: { code: 5, itemIndex: 1 },
    });
    expect(errorRecordOf(new RangeError('Odd.'), node)).toEqual({ name: 'RangeError', message: 'Odd.', node });
    expect(errorRecordOf('text', node)).toEqual({ name: 'Error', message: 'text', node });
  });
});
