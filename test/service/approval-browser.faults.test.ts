import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, type TestContext, test } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { chromiumPath, noChromium } from './installed-chromium.ts';
import { ask, served } from './serving.ts';

/** RFC 7636, appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** The test's own server on another port, and so another origin; returns its address. */
async function listening(t: TestContext, listener: RequestListener, name = '127.0.0.1'): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, name.replace(/[[\]]/g, ''), resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${name}:${(server.address() as AddressInfo).port}`;
}

/**
 * A served simulation, and a command line's receiver under this name of the machine; `received` is what the browser
 * sends it.
 */
async function login(t: TestContext, name?: string) {
  const serving = await served(t);
  const { promise: received, resolve } = Promise.withResolvers<URLSearchParams>();
  const listener: RequestListener = (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    if (pathname === '/callback') resolve(searchParams);
    response.end('done');
  };
  const receiver = await listening(t, listener, name);
  const query = new URLSearchParams({
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    redirect_uri: `${receiver}/callback`,
    state: 'state of the client',
    device_name: 'Browser <b>test</b>',
  });
  return { serving, received, address: `${serving.baseUrl}/cli/authorize?${query}` };
}

describe('the approval page in a real browser', { skip: noChromium }, () => {
  let browser: Browser;
  before(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath!, args: ['--no-sandbox'] });
  });
  after(() => browser.close());

  const opened = async (t: TestContext) => {
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    return { page, complaints };
  };

  test('shows the device, applies its style under its own policy, and sends the code to the command line on approval', async (t) => {
    const { serving, received, address } = await login(t);
    const { page, complaints } = await opened(t);
    await page.goto(address);
    assert.equal(await page.textContent('#device'), 'Browser <b>test</b>');
    const approve = page.getByRole('button', { name: 'Approve' });
    const color = await page.evaluate(
      `getComputedStyle(document.querySelector('button[value=approve]')).backgroundColor`,
    );
    assert.equal(color, 'rgb(26, 107, 60)', 'its style is applied');
    await approve.click();
    const query = await received;
    assert.equal(query.get('state'), 'state of the client');
    const { status } = await ask(`${serving.baseUrl}/v1/auth/cli/token`, null, {
      method: 'POST',
      json: { code: query.get('code'), code_verifier: verifier },
    });
    assert.equal(status, 200);
    assert.deepEqual(
      complaints.filter((text) => !text.includes('favicon')),
      [],
    );
  });

  test('sends no code when the login is denied', async (t) => {
    const { received, address } = await login(t);
    const { page } = await opened(t);
    await page.goto(address);
    await page.getByRole('button', { name: 'Deny' }).click();
    assert.deepEqual(Object.fromEntries(await received), { error: 'access_denied', state: 'state of the client' });
  });

  for (const name of ['localhost', '[::1]'])
    test(`the code reaches a client that listens on ${name}`, async (t) => {
      const { received, address } = await login(t, name);
      const { page, complaints } = await opened(t);
      await page.goto(address);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.waitForURL('**/callback?**', { timeout: 3_000 }).catch(() => assert.fail(complaints.join('\n')));
      assert.ok((await received).get('code'));
    });

  test('keeps two logins in one browser apart', async (t) => {
    const [one, other] = [await login(t), await login(t)];
    const { page } = await opened(t);
    const second = await page.context().newPage();
    await page.goto(one.address);
    await second.goto(other.address);
    await page.getByRole('button', { name: 'Approve' }).click();
    await second.getByRole('button', { name: 'Approve' }).click();
    assert.ok((await one.received).get('code'));
    assert.ok((await other.received).get('code'));
  });

  test('can’t be framed, read or answered by a page from another origin', async (t) => {
    const { received, address, serving } = await login(t);
    const { page } = await opened(t);
    const evil = await listening(t, (_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<iframe src="${address.replaceAll('&', '&amp;')}"></iframe>
        <form method="post" action="${serving.baseUrl}/cli/authorize"><input name="token" value="x"><input name="decision" value="approve"></form>`);
    });
    await page.goto(evil);
    await page.waitForTimeout(300);
    const framed = page.frames().find((frame) => frame !== page.mainFrame());
    const shown = await framed!.evaluate<string>('document.body?.textContent ?? ""').catch(() => '');
    assert.ok(!shown.includes('Approve'), shown);
    const read = await page.evaluate(
      (url) =>
        fetch(url, { credentials: 'include' }).then(
          () => 'read',
          () => 'refused',
        ),
      address,
    );
    assert.equal(read, 'refused');
    await page.evaluate(`document.querySelector('form').submit()`);
    await page.waitForURL('**/cli/authorize');
    assert.match((await page.textContent('#problem'))!, /did not come from the approval page/);
    const nothing = await Promise.race([received, new Promise((resolve) => setTimeout(() => resolve('nothing'), 100))]);
    assert.equal(nothing, 'nothing');
  });
});
