import { toolName } from './tool-name';

describe('the name of a function', () => {
  it.each([
    ['Get weather', 'Get_weather'],
    ['Send a message in Slack!', 'Send_a_message_in_Slack_'],
    ['日本', '_'],
    ['a-b_c', 'a-b_c'],
    [`${'a'.repeat(63)}  b`, 'a'.repeat(63)],
  ])('of %j is %j', (name, expected) => {
    expect(toolName(name)).toBe(expected);
  });
});
