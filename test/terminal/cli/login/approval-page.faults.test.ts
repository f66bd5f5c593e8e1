import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { served } from '../../../service/serving.ts';
import { hostileSite, noChromium, startChromium } from './chromium.ts';
import { Machine } from './running-perp.ts';
import { sessionsOf } from './sessions.ts';

describe('the approval page in a browser', { skip: noChromium }, () => {
  let chromium: Browser;
  before(async () => {
    chromium = await startChromium();
  });
  after(() => chromium.close());

  /** A waiting login, and a browser window with its approval page. */
  async function waiting(t: TestContext, { name = 'my laptop', wall }: { name?: string; wall?: () => number } = {}) {
    const serving = await served(t, wall === undefined ? {} : { wall });
    const running = new Machine(t, serving.baseUrl).start([
      'login',
      '--insecure-storage',
      '--no-browser',
      '--name',
      name,
      '--json',
    ]);
    const address = await running.address();
    const window = await chromium.newContext();
    t.after(() => window.close());
    const page = await window.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    await page.goto(address);
    const failure = async () => JSON.parse((await running.ended).err.trim().split('\n').at(-1)!).error.code;
    return { serving, running, address, window, page, complaints, failure };
  }

  const press = (page: Page, button: 'Approve' | 'Deny') => page.getByRole('button', { name: button }).click();
  const heading = (page: Page) => page.getByRole('heading').textContent();
  const live = (serving: Parameters<typeof sessionsOf>[0]) => sessionsOf(serving).filter(({ isLive }) => isLive).length;

  it('explains the request, and once approved, says that it worked', async (t) => {
    const { serving, running, page, complaints } = await waiting(t);
    const text = await page.locator('body').innerText();
    assert.match(text, /my laptop/);
    assert.match(text, /see and trade every account you own/);
    assert.match(text, /30 days/);
    assert.match(text, /If you did not just run perp login, deny this/);
    await press(page, 'Approve');
    await page.waitForURL(/\/callback\?/);
    assert.equal(await heading(page), 'You are logged in');
    const { exit, err } = await running.ended;
    assert.equal(exit, 0, err);
    assert.equal(live(serving), 1);
    assert.deepEqual(complaints, []);
  });

  it('denies: nothing is granted, and both sides say so', async (t) => {
    const { serving, running, page, failure } = await waiting(t);
    await press(page, 'Deny');
    await page.waitForURL(/\/callback\?/);
    assert.equal(await heading(page), 'You are not logged in');
    assert.equal((await running.ended).exit, 4);
    assert.equal(await failure(), 'access_denied');
    assert.deepEqual(sessionsOf(serving), []);
  });

  it('can’t be answered a second time, and its code can’t be used a second time', async (t) => {
    const { serving, running, page, window } = await waiting(t);
    const token = await page.locator('input[name=token]').inputValue();
    await press(page, 'Approve');
    await page.waitForURL(/\/callback\?/);
    const code = new URL(page.url()).searchParams.get('code')!;
    assert.equal((await running.ended).exit, 0);
    // With all of the browser's data, and declared to come from the page itself.
    const replay = await window.request.post(`${serving.baseUrl}/cli/authorize`, {
      form: { token, decision: 'approve' },
      headers: { origin: serving.baseUrl },
      maxRedirects: 0,
    });
    assert.equal(replay.status(), 403);
    const exchanged = await fetch(`${serving.baseUrl}/v1/auth/cli/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, code_verifier: 'v'.repeat(43) }),
    });
    assert.equal(exchanged.status, 400);
    assert.equal(live(serving), 1);
  });

  it('expires: the back button and a second press grant nothing', async (t) => {
    const { serving, running, page } = await waiting(t);
    await press(page, 'Approve');
    await page.waitForURL(/\/callback\?/);
    await running.ended;
    await page.goBack();
    if (await page.getByRole('button', { name: 'Approve' }).isVisible()) {
      // The page was requested again: it asks for a login that nobody waits for, and its code is useless.
      await press(page, 'Approve').catch(() => {});
    }
    assert.equal(live(serving), 1);
  });

  it('can’t be answered by a form of another origin, whatever that form contains', async (t) => {
    const { serving, running, page, window } = await waiting(t);
    const token = await page.locator('input[name=token]').inputValue();
    const form = `<form method="post" action="${serving.baseUrl}/cli/authorize">
      <input name="token" value="${token}"><input name="decision" value="approve"></form>
      <script>document.forms[0].submit()</script>`;
    const site = await hostileSite(t, form);
    for (const address of [site, site.replace('127.0.0.1', 'localhost')]) {
      const evil = await window.newPage();
      await evil.goto(address);
      await evil.waitForURL(`${serving.baseUrl}/cli/authorize`);
      assert.match(await evil.locator('body').innerText(), /did not come from the approval page/);
    }
    // The user's own page still works: nothing was used up.
    await press(page, 'Approve');
    assert.equal((await running.ended).exit, 0);
    assert.equal(live(serving), 1);
  });

  it('can’t be answered by a script of another origin', async (t) => {
    const { serving, running, page, window } = await waiting(t);
    const token = await page.locator('input[name=token]').inputValue();
    const evil = await window.newPage();
    await evil.goto(await hostileSite(t, '<p>hello</p>'));
    for (const mode of ['no-cors', 'cors'] as const) {
      await evil.evaluate(
        ({ url, body, mode }) =>
          fetch(url, { method: 'POST', mode, credentials: 'include', body: new URLSearchParams(body) }).then(
            () => {},
            () => {},
          ),
        { url: `${serving.baseUrl}/cli/authorize`, body: { token, decision: 'approve' }, mode },
      );
    }
    assert.deepEqual(sessionsOf(serving), []);
    await press(page, 'Deny');
    assert.equal((await running.ended).exit, 4);
  });

  it('can’t be read or framed by another origin', async (t) => {
    const { address, running, window } = await waiting(t);
    const evil = await window.newPage();
    await evil.goto(await hostileSite(t, `<iframe src="${address.replaceAll('&', '&amp;')}"></iframe>`));
    const isRead = await evil.evaluate(
      (url) =>
        fetch(url, { credentials: 'include' }).then(
          (answer) => answer.text(),
          () => null,
        ),
      address,
    );
    assert.equal(isRead, null);
    const frame = evil.frames().find((one) => one !== evil.mainFrame());
    assert.doesNotMatch((await frame?.content().catch(() => '')) ?? '', /Approve/);
    running.process.kill('SIGTERM');
    await running.ended;
  });

  it('shows a malicious device name as text', async (t) => {
    const name = '<img src=x onerror=alert(1)>"&quot;\'';
    const { page, running, complaints } = await waiting(t, { name });
    assert.equal(await page.locator('#device').innerText(), name);
    assert.equal(await page.locator('img').count(), 0);
    assert.deepEqual(complaints, []);
    running.process.kill('SIGTERM');
    await running.ended;
  });

  it('gives a code that is valid for five minutes; later the host refuses it', async (t) => {
    let now = Date.now();
    const { serving, running, page, failure } = await waiting(t, { wall: () => now });
    await page.route('**/cli/authorize', async (route) => {
      const response = await route.fetch({ maxRedirects: 0 });
      now += 5 * 60_000 + 1;
      await route.fulfill({ response });
    });
    await press(page, 'Approve');
    await page.waitForURL(/\/callback\?/);
    assert.equal(await heading(page), 'You are not logged in');
    assert.equal((await running.ended).exit, 4);
    assert.equal(await failure(), 'invalid_grant');
    assert.deepEqual(sessionsOf(serving), []);
  });

  it('can’t be answered after ten minutes', async (t) => {
    let now = Date.now();
    const { serving, running, page } = await waiting(t, { wall: () => now });
    now += 10 * 60_000 + 1;
    await press(page, 'Approve');
    await page.getByText('already answered, or has expired').waitFor();
    assert.deepEqual(sessionsOf(serving), []);
    running.process.kill('SIGTERM');
    await running.ended;
  });

  it('is not disturbed by pages that probe for the receiver: scripts, images and frames end no login', async (t) => {
    const { address, running, page, window } = await waiting(t);
    const receiver = new URL(address).searchParams.get('redirect_uri')!;
    const guess = `${receiver}?error=access_denied&amp;state=guess`;
    const evil = await window.newPage();
    await evil.goto(
      await hostileSite(t, `<img src="${guess}"><iframe src="${guess}"></iframe><link rel="prefetch" href="${guess}">`),
    );
    await evil.evaluate(
      (url) =>
        fetch(url, { mode: 'no-cors' }).then(
          () => {},
          () => {},
        ),
      guess.replaceAll('&amp;', '&'),
    );
    await evil.waitForLoadState('networkidle');
    await press(page, 'Approve');
    await page.waitForURL(/\/callback\?/);
    assert.equal(await heading(page), 'You are logged in');
    assert.equal((await running.ended).exit, 0);
  });
});
