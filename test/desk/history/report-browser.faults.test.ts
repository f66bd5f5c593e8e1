import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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
      assert.equal(await page.title(), 'Challenge 1: trading results, SIM default, synthetic');
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

/** Runs in the page: what is wider than its place. */
const clipped = `[document.documentElement, ...document.querySelectorAll('main *:not(.chart *)')]
  .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
  .map((one) => one.outerHTML.slice(0, 80))`;

test('the report fits a telephone and four sheets of paper, is accessible, and has all figures without scripts', {
  skip: noChromium,
}, async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--clock', 'manual', '--seed', '3', '--yes');
  const markets = ['BTC', 'ETH', 'SOL'];
  const trading = Array.from({ length: 45 }, (_, at) => [
    `order place ${markets[at % 3]} ${at % 2 === 0 ? 'buy' : 'sell'} risk:0.2% --stop-loss 2% --yes`,
    `sim advance ${3 + (at % 7)}h`,
    'flatten --yes',
  ]).flat();
  const file = join(desk.folder, 'trading.txt');
  writeFileSync(file, [...trading, 'order place BTC buy 0.1 --stop-loss 1% --yes'].join('\n'));
  assert.equal((await desk.perp(['batch', file])).exit, 0);
  const report = join(desk.folder, 'report.html');
  assert.equal((await desk.perp(['report', '-o', report])).exit, 0);
  assert.ok(statSync(report).size <= 400_000, `${statSync(report).size} bytes`);
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const browser = await chromium.launch({ executablePath: chromiumPath!, args: quiet });
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ colorScheme, viewport: { width: 390, height: 844 }, bypassCSP: true });
      const page = await context.newPage();
      await page.goto(pathToFileURL(report).href);
      await page.waitForFunction('document.querySelectorAll("canvas").length >= 9');
      assert.deepEqual(await page.evaluate(clipped), []);
      await page.evaluate(axe);
      const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string }[] };
      assert.deepEqual(
        violations.map(({ id }) => id),
        [],
      );
      const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
      const sheets = paper.match(/\/Type\s*\/Page\b/g)!.length;
      assert.ok(sheets <= 4, `${sheets} sheets`);
    }
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await plain.goto(pathToFileURL(report).href);
    const text = (await plain.locator('main').innerText()).replaceAll(/\s+/g, ' ');
    for (const wanted of [
      /SIM default, synthetic/,
      /Open positions/,
      /daily loss [\d,.]+ USD left/,
      /Odds from here/,
      /Sharpe/,
      /win rate/,
      /Round trips/,
    ])
      assert.match(text, wanted);
  } finally {
    await browser.close();
  }
});
