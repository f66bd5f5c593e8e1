import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { Desk } from '../practice.ts';

const root = resolve(import.meta.dirname, '../../../..');

describe('perp sdk link', () => {
  it('leads node_modules/perp of a folder to this perp, and replaces a link to another', async () => {
    using desk = new Desk();
    const link = join(desk.folder, 'node_modules/perp');
    assert.deepEqual(await desk.json('sdk', 'link', desk.folder, '--dry-run'), { link, target: root, changed: true });
    assert.equal(readdirSync(desk.folder).includes('node_modules'), false, 'a dry run makes nothing');
    assert.deepEqual(await desk.json('sdk', 'link', desk.folder), { link, target: root, changed: true });
    assert.deepEqual(await desk.json('sdk', 'link', desk.folder), { link, target: root, changed: false });
    for (const other of [desk.folder, join(desk.folder, 'uninstalled')]) {
      rmSync(link);
      symlinkSync(other, link);
      assert.equal((await desk.json('sdk', 'link', desk.folder)).changed, true);
      assert.equal(readlinkSync(link), root);
    }
    assert.deepEqual(readdirSync(join(desk.folder, 'node_modules')), ['perp']);
  });

  it('leaves an installed package alone, and names a folder that is not there', async () => {
    using desk = new Desk();
    mkdirSync(join(desk.folder, 'node_modules/perp/dist'), { recursive: true });
    const { exit, error } = await desk.perp(['sdk', 'link', desk.folder, '--json']);
    assert.deepEqual([exit, error.code], [6, 'exists']);
    assert.deepEqual(readdirSync(join(desk.folder, 'node_modules/perp')), ['dist']);
    assert.equal((await desk.perp(['sdk', 'link', join(desk.folder, 'nowhere'), '--json'])).exit, 2);
  });

  it('says which link it can’t make where a file is in the way', async () => {
    using desk = new Desk();
    writeFileSync(join(desk.folder, 'node_modules'), '');
    const { exit, error } = await desk.perp(['sdk', 'link', desk.folder, '--json']);
    assert.deepEqual([exit, error.code, /folder that you can write to/.test(error.hint)], [7, 'not_written', true]);
  });
});
