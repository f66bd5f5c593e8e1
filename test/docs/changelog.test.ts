import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { datedChangelog } from '../../scripts/changelog.ts';

const changelog = '# Changelog\n\nIntro.\n\n## 0.2.0 - unreleased\n\n- New.\n\n## 0.1.0 - 2026-01-02\n\n- Old.\n';

describe('the changelog at a release', () => {
  it('gets version and date on top, and keeps everything else', () => {
    const { text, section } = datedChangelog(changelog, '0.2.1', '2026-03-04');
    assert.equal(text, changelog.replace('0.2.0 - unreleased', '0.2.1 - 2026-03-04'));
    assert.equal(section, '- New.');
  });

  it('must start with an unreleased section', () => {
    const released = changelog.replace('unreleased', '2026-03-04');
    assert.throws(() => datedChangelog(released, '0.3.0', '2026-03-05'), /must begin with a section/);
    assert.throws(() => datedChangelog('# Changelog\n', '0.3.0', '2026-03-05'), /must begin with a section/);
  });

  it('must have entries in it', () => {
    assert.throws(() => datedChangelog(changelog.replace('- New.', ''), '0.2.0', '2026-03-04'), /is empty/);
  });

  it('can be created from ours', () => {
    const ours = readFileSync(resolve(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
    const top = /^## (\S+) - (unreleased|\d{4}-\d{2}-\d{2})$/m.exec(ours);
    assert.ok(top, 'CHANGELOG.md has no version on top');
    if (top[2] === 'unreleased') assert.ok(datedChangelog(ours, top[1]!, '2026-03-04').section.length > 100);
  });
});
