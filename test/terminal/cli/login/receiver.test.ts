import assert from 'node:assert/strict';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { LoopbackReceiver, successPage } from '../../../../src/terminal/cli/login/receiver.ts';

const any = () => true;

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** A request sent with node:http, because fetch does not allow setting Host and Sec-Fetch headers. */
function ask(url: string, method = 'GET', headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    })
      .on('error', reject)
      .end();
  });
}

describe('the receiver', () => {
  it('listens on the loopback address, on its own port', async () => {
    const receivers = [await LoopbackReceiver.open(any), await LoopbackReceiver.open(any)];
    const addresses = receivers.map(({ redirectUri }) => redirectUri);
    for (const receiver of receivers) await receiver.close();
    for (const address of addresses) assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    assert.notEqual(addresses[0], addresses[1]);
  });

  it('accepts one answer, and shows the login’s result in the browser', async () => {
    const receiver = await LoopbackReceiver.open(any);
    const browser = ask(`${receiver.redirectUri}?code=the-code&state=the-state`);
    const query = await receiver.answer;
    assert.deepEqual(
      [...query],
      [
        ['code', 'the-code'],
        ['state', 'the-state'],
      ],
    );
    const second = await ask(`${receiver.redirectUri}?code=another&state=another`);
    assert.deepEqual([second.status, /already answered/.test(second.text)], [410, true]);
    await receiver.close(successPage);
    const { status, text } = await browser;
    assert.equal(status, 200);
    assert.match(text, /logged in/);
    assert.match(text, /close this window/);
  });

  it('keeps waiting for its own answer when others arrive', async () => {
    const receiver = await LoopbackReceiver.open((query) => query.get('state') === 'mine');
    for (const query of [
      '',
      '?code=evil&state=theirs',
      '?error=access_denied',
      '?state=min',
      '?error=x&state=theirs',
    ]) {
      const { status, text } = await ask(`${receiver.redirectUri}${query}`);
      assert.deepEqual([status, /still waiting for its own answer/.test(text)], [400, true], query);
    }
    const browser = ask(`${receiver.redirectUri}?code=good&state=mine`);
    assert.equal((await receiver.answer).get('code'), 'good');
    await receiver.close(successPage);
    assert.equal((await browser).status, 200);
  });

  it('shows a failed login in the browser', async () => {
    const receiver = await LoopbackReceiver.open(any);
    const browser = ask(`${receiver.redirectUri}?error=access_denied&state=the-state`);
    await receiver.answer;
    await receiver.close();
    assert.equal((await browser).status, 400);
  });

  it('shows a page that contains nothing of the answer, loads and runs nothing, and can’t be framed', async () => {
    const receiver = await LoopbackReceiver.open(any);
    const browser = ask(`${receiver.redirectUri}?code=the-code&state=%3Cscript%3Ealert(1)%3C/script%3E`);
    await receiver.answer;
    await receiver.close(successPage);
    const { headers, text } = await browser;
    assert.doesNotMatch(text, /the-code|script|<(img|link|iframe|form)/);
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'/,
    );
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['x-frame-options'], 'DENY');
  });

  it('stops listening once closed', async () => {
    const receiver = await LoopbackReceiver.open(any);
    await receiver.close();
    await assert.rejects(ask(receiver.redirectUri), { code: 'ECONNREFUSED' });
  });

  it('closes at once while a browser holds a connection open', async () => {
    const receiver = await LoopbackReceiver.open(any);
    await ask(`${new URL(receiver.redirectUri).origin}/favicon.ico`, 'GET', { connection: 'keep-alive' });
    const begun = performance.now();
    await receiver.close();
    assert.ok(performance.now() - begun < 4_000, 'a kept connection ends after five seconds');
  });

  it('reports that its port is in use', async (t) => {
    const holder = createServer();
    t.after(() => holder.close());
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as { port: number };
    await assert.rejects(
      LoopbackReceiver.open(any, port),
      (error: { facts?: { exit: number; code: string; message: string } }) => {
        assert.equal(error.facts?.exit, 6);
        assert.equal(error.facts?.code, 'port_taken');
        assert.match(error.facts?.message ?? '', /is in use/);
        return true;
      },
    );
  });
});

describe('a request that is not a returning browser window', () => {
  const strangers: [what: string, method: string, path: string, headers: Record<string, string>][] = [
    ['another path', 'GET', '/', {}],
    ['the path of an icon', 'GET', '/favicon.ico', {}],
    ['a deeper path', 'GET', '/callback/more?code=c&state=s', {}],
    ['a form', 'POST', '/callback?code=c&state=s', {}],
    ['a HEAD request', 'HEAD', '/callback?code=c&state=s', {}],
    ['a name that was rebound to this machine', 'GET', '/callback?code=c&state=s', { host: 'evil.example' }],
    ['the right address under another port', 'GET', '/callback?code=c&state=s', { host: '127.0.0.1:1' }],
    [
      'a script’s request',
      'GET',
      '/callback?code=c&state=s',
      { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' },
    ],
    ['an image', 'GET', '/callback?code=c&state=s', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a frame', 'GET', '/callback?code=c&state=s', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
  ];
  for (const [what, method, path, headers] of strangers) {
    it(`is rejected and ends nothing: ${what}`, async () => {
      const receiver = await LoopbackReceiver.open(any);
      const { origin } = new URL(receiver.redirectUri);
      assert.equal((await ask(`${origin}${path}`, method, headers)).status, 404);
      // The login still waits, and accepts its own answer.
      const browser = ask(`${receiver.redirectUri}?code=mine&state=s`, 'GET', {
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      });
      assert.equal((await receiver.answer).get('code'), 'mine');
      await receiver.close(successPage);
      assert.equal((await browser).status, 200);
    });
  }
});
