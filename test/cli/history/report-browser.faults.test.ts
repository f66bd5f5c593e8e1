import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { chromiumPath, noChromium } from '../../service/installed-chromium.ts';
import { Desk } from '../practice.ts';

const quiet = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

test('the report draws its charts light, dark and printed, requests nothing and runs no script from a note', {
  skip: noChromium,
}, async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--clock', 'manual', '--seed', '3', '--yes');
  const file = join(desk.folder, 'trading.txt');
  writeFileSync(file, ['order place BTC buy 0.1 --yes', 'sim advance 30h', 'close-all --yes'].join('\n'));
  assert.equal((await desk.perp(['batch', file])).exit, 0);
  const [{ id }] = await desk.json('positions', '--closed');
  await desk.json(
    'journal',
    'note',
    id,
    '</script><img src=x onerror="document.title=1"><script>document.title=1</script>',
  );
  const report = join(desk.folder, 'report.html');
  assert.equal((await desk.perp(['report', '-o', report])).exit, 0);
  const address = pathToFileURL(report).href;
  const browser = await chromium.launch({ executablePath: chromiumPath!, args: quiet });
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme });
      const troubles: string[] = [];
      page.on('console', (message) => troubles.push(message.text()));
      page.on('pageerror', (error) => troubles.push(error.message));
      page.on('request', (request) => {
        if (request.url() !== address) troubles.push(`asked for ${request.url()}`);
      });
      await page.goto(address);
      await page.waitForFunction('document.querySelectorAll("canvas").length >= 9');
      assert.equal(await page.title(), 'Challenge 1: trading results');
      const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      assert.equal(ground, colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(13, 17, 23)');
      assert.ok((await page.pdf({ format: 'A4' })).length > 10_000);
      assert.deepEqual(troubles, []);
    }
  } finally {
    await browser.close();
  }
});
