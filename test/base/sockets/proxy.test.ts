import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proxyTo } from '../../../src/base/sockets/proxy.ts';

test('which variable names the proxy depends on the address; lower-case ones come first', () => {
  const all = {
    https_proxy: 'http://a:1',
    HTTPS_PROXY: 'http://b:1',
    all_proxy: 'http://c:1',
    ALL_PROXY: 'http://d:1',
    http_proxy: 'http://e:1',
    HTTP_PROXY: 'http://f:1',
  };
  const order = (address: string) => {
    const left: Record<string, string> = { ...all };
    const names: string[] = [];
    for (let proxy = proxyTo(address, left); proxy !== undefined; proxy = proxyTo(address, left)) {
      names.push(proxy.variable);
      assert.equal(proxy.address, left[proxy.variable]);
      left[proxy.variable] = '';
    }
    return names.join(' ');
  };
  for (const scheme of ['https', 'wss'])
    assert.equal(order(`${scheme}://api.example`), Object.keys(all).join(' '), scheme);
  for (const scheme of ['http', 'ws'])
    assert.equal(order(`${scheme}://api.example`), 'http_proxy HTTP_PROXY all_proxy ALL_PROXY', scheme);
});

test('NO_PROXY names hosts, domains, ports and all', () => {
  const table: [noProxy: string, address: string, isLeftOut: boolean][] = [
    ['api.example', 'https://api.example', true],
    ['API.Example.', 'https://api.example', true],
    ['other.example api.example', 'https://api.example', true],
    ['a.example,api.example', 'wss://api.example/v1', true],
    ['example', 'https://api.example', true],
    ['.example', 'https://api.example', true],
    ['*.example', 'https://api.example', true],
    ['*.api.example', 'https://api.example', false],
    ['.api.example', 'https://api.example', true],
    ['pi.example', 'https://api.example', false],
    ['api.example.com', 'https://api.example', false],
    ['api.example:443', 'https://api.example', true],
    ['api.example:8443', 'https://api.example', false],
    ['*', 'https://api.example', true],
    ['*:80', 'https://api.example', false],
    ['10.0.0.1', 'https://10.0.0.1', true],
    ['2001:db8::1', 'https://[2001:db8::1]', true],
    ['[2001:db8::1]:443', 'https://[2001:db8::1]', true],
    ['[2001:db8::1]:444', 'https://[2001:db8::1]', false],
    ['', 'https://api.example', false],
    [' , ', 'https://api.example', false],
  ];
  for (const [NO_PROXY, address, isLeftOut] of table) {
    const proxy = proxyTo(address, { HTTPS_PROXY: 'http://proxy.example', NO_PROXY });
    assert.equal(proxy === undefined, isLeftOut, `${NO_PROXY} and ${address}`);
  }
  const both = { HTTPS_PROXY: 'http://proxy.example', no_proxy: 'other.example', NO_PROXY: '*' };
  assert.equal(proxyTo('https://api.example', both)?.variable, 'HTTPS_PROXY');
});

test('no proxy leads to this machine', () => {
  for (const host of ['localhost', 'localhost.', '127.0.0.1', '127.1.2.3', '[::1]'])
    for (const scheme of ['http', 'https', 'ws', 'wss'])
      assert.equal(proxyTo(`${scheme}://${host}:7400`, { ALL_PROXY: 'http://proxy.example' }), undefined, host);
});

test('the address of a proxy is told without user and password; a scheme may be left out', () => {
  const told = (HTTPS_PROXY: string) => proxyTo('https://api.example', { HTTPS_PROXY });
  const basic = (user: string) => `Basic ${Buffer.from(user).toString('base64')}`;
  const table: [text: string, address: string, user: string | undefined][] = [
    ['http://proxy.example:3128', 'http://proxy.example:3128', undefined],
    ['proxy.example:3128', 'http://proxy.example:3128', undefined],
    [' https://proxy.example/ ', 'https://proxy.example', undefined],
    ['http://me:se%3Acret@proxy.example:3128', 'http://proxy.example:3128', 'me:se:cret'],
    ['me:50%@proxy.example', 'http://proxy.example', 'me:50%'],
    ['http://me@proxy.example', 'http://proxy.example', 'me:'],
  ];
  for (const [text, address, user] of table) {
    const authorization = user === undefined ? undefined : basic(user);
    assert.deepEqual(told(text), { variable: 'HTTPS_PROXY', address, authorization }, text);
  }
});

test('a proxy that can not be used is an error that names the variable, without its text', () => {
  const table: [text: string, why: RegExp][] = [
    ['http://', /^HTTPS_PROXY is not the address of a proxy: write it as http:\/\/host:port$/],
    ['http://me:secret@:3128', /^HTTPS_PROXY is not the address/],
    ['http://me:secret@proxy.example:port', /^HTTPS_PROXY is not the address/],
    ['socks5://me:secret@proxy.example', /^HTTPS_PROXY names a proxy with socks5:/],
  ];
  for (const [HTTPS_PROXY, why] of table)
    assert.throws(
      () => proxyTo('https://api.example', { HTTPS_PROXY }),
      (error: Error) => why.test(error.message) && !error.message.includes('secret'),
      HTTPS_PROXY,
    );
});
