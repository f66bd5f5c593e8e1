import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { manifests } from '../../scripts/packages.ts';

test('the formula for Homebrew and the manifest for Scoop name each archive with its checksum', (trial) => {
  const folder = mkdtempSync(join(tmpdir(), 'perp-manifests-'));
  trial.after(() => rmSync(folder, { recursive: true }));
  const names = ['linux-x64.tar.gz', 'linux-arm64.tar.gz', 'macos-arm64-unsigned.tar.gz', 'windows-x64.zip'];
  const archives = names.map((name) => `perp-1.2.3-${name}`);
  for (const name of archives) writeFileSync(join(folder, name), name);
  const [formula, manifest] = manifests(folder, archives, 'https://releases.example/v1.2.3').map((file) =>
    readFileSync(file, 'utf8'),
  );
  const sum = (name: string) => createHash('sha256').update(name).digest('hex');
  const named = [...formula!.matchAll(/url "https:\/\/releases\.example\/v1\.2\.3\/(.+)"\n +sha256 "(\w+)"/g)];
  assert.deepEqual(
    new Map(named.map(([, name, found]) => [name!, found!])),
    new Map(archives.slice(0, 3).map((name) => [name, sum(name)])),
  );
  const { version, bin, architecture, extract_dir } = JSON.parse(manifest!);
  assert.deepEqual(architecture['64bit'], {
    url: `https://releases.example/v1.2.3/${archives[3]}`,
    hash: sum(archives[3]!),
  });
  assert.deepEqual([version, bin, extract_dir], ['1.2.3', 'perp.exe', 'perp-1.2.3-windows-x64']);
  assert.throws(() => manifests(folder, archives.slice(1), 'https://releases.example'), /no archive for -linux-x64/);
});
