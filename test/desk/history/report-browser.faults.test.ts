import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { chromiumPath, noChromium } from '../../service/installed-chromium.ts';
import { Desk } from '../../terminal/cli/practice.ts';

const quiet = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

/** Runs in the page: widths of the charts' cells that their canvases don't fill. */
const cellsThatDiffer = `[...document.querySelectorAll('.chart td')]
  .map((cell) => [cell.getBoundingClientRect().width, cell.querySelector('canvas')?.getBoundingClientRect().width])
  .filter(([cell, canvas]) => canvas !== undefined && Math.abs(cell - canvas) > 1)`;

/** Runs in the page: how many charts have a picture for paper, and which line colors that of equity has. */
const inkOnPaper = `(() => {
  dispatchEvent(new Event('beforeprint'));
  const pictures = document.querySelectorAll('.paper');
  const { width, height } = pictures[0];
  const pixels = pictures[0].getContext('2d').getImageData(0, 0, width, height).data;
  const has = (red, green, blue) => {
    for (let at = 0; at < pixels.length; at += 4)
      if (pixels[at] === red && pixels[at + 1] === green && pixels[at + 2] === blue) return true;
    return false;
  };
  return { pictures: pictures.length, light: has(0x05, 0x50, 0xae), dark: has(0x58, 0xa6, 0xff) };
})()`;

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
      // The styles of the page's own tables must not affect the charts, which are tables, too.
      assert.deepEqual(await page.evaluate(cellsThatDiffer), []);
      assert.equal(await page.title(), 'Challenge 1: trading results');
      const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      assert.equal(ground, colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(13, 17, 23)');
      assert.ok((await page.pdf({ format: 'A4' })).length > 10_000);
      // Paper is light, whatever the screen is.
      assert.deepEqual(await page.evaluate(inkOnPaper), { pictures: 3, light: true, dark: false });
      assert.deepEqual(troubles, []);
    }
  } finally {
    await browser.close();
  }
});
