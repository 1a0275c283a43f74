import { credentialText } from '.';

it('a string in the data of a credential is the default of its field unless it is set', () => {
  const server = (data: Record<string, string>) => credentialText('githubApi', 'server', data);
  expect(server({})).toBe('https://api.github.com');
  expect(server({ server: ' ' })).toBe('https://api.github.com');
  expect(server({ server: ' https://github.example.com/api/v3 ' })).toBe('https://github.example.com/api/v3');
  expect(credentialText('githubApi', 'user', {})).toBe('');
  expect(credentialText('unknownApi', 'server', { server: 'a' })).toBe('a');
});
