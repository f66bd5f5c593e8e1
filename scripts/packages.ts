/**
 * Makes packages of the archives in a folder (executables.ts): a .deb and an .rpm of each one for Linux; and, if
 * PERP_RELEASES says where the archives will be, a formula for Homebrew and a manifest for Scoop. Updates SHA256SUMS.
 *
 *   node scripts/packages.ts FOLDER
 *
 * Needs dpkg-deb and rpmbuild.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hashOf, secondsOfCommit, writeSums } from './executables.ts';
import { noticesName } from './notices.ts';

const summary = 'A trading desk in the terminal, with a complete local simulation';
const maintainer = 'The perp founders <perp@localhost>';

/** Makes all packages; returns their paths. */
export function makePackages(folder: string, releases: string | undefined): string[] {
  const archives = readdirSync(folder).filter((name) => /^perp-.*\.(?:tar\.gz|zip)$/.test(name));
  const work = mkdtempSync(join(tmpdir(), 'perp-packages-'));
  try {
    const made = archives.flatMap((name) => {
      const [, version, arch] = /^perp-(.+)-linux-(\w+)\.tar\.gz$/.exec(name) ?? [];
      if (version === undefined) return [];
      const tree = installedTree(join(folder, name), join(work, name));
      return [deb(tree, version, arch!, folder), rpm(tree, version, arch!, folder)];
    });
    if (releases !== undefined) made.push(...manifests(folder, archives, releases));
    writeSums(folder);
    return made;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The files as they are on a system of Linux. */
function installedTree(archive: string, work: string): string {
  const tree = join(work, 'tree');
  const [lib, doc] = [join(tree, 'usr/lib/perp'), join(tree, 'usr/share/doc/perp')];
  for (const one of [lib, doc, join(tree, 'usr/bin'), join(tree, 'usr/share/man/man1')])
    mkdirSync(one, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', lib, '--strip-components=1']);
  symlinkSync('../lib/perp/perp', join(tree, 'usr/bin/perp'));
  const man = execFileSync('gzip', ['-n', '-9'], { input: readFileSync(join(lib, 'perp.1')) });
  writeFileSync(join(tree, 'usr/share/man/man1/perp.1.gz'), man);
  const completions = {
    'perp.bash': 'bash-completion/completions/perp',
    _perp: 'zsh/vendor-completions/_perp',
    'perp.fish': 'fish/vendor_completions.d/perp.fish',
  };
  for (const [from, to] of Object.entries(completions))
    cpSync(join(lib, 'completions', from), join(tree, 'usr/share', to));
  cpSync(join(lib, 'LICENSE'), join(doc, 'copyright'));
  for (const name of ['LICENSE-node.txt', noticesName, 'sbom.json']) cpSync(join(lib, name), join(doc, name));
  for (const name of ['perp.1', 'completions', 'LICENSE', 'LICENSE-node.txt', noticesName, 'sbom.json'])
    rmSync(join(lib, name), { recursive: true });
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', tree]);
  return tree;
}

function deb(tree: string, version: string, arch: string, folder: string): string {
  const control = `Package: perp
Version: ${version}
Architecture: ${arch === 'x64' ? 'amd64' : arch}
Maintainer: ${maintainer}
Installed-Size: ${kibibytesOf(tree)}
Section: utils
Priority: optional
Depends: libc6 (>= 2.28), libstdc++6, libgcc-s1, libatomic1
Recommends: libsecret-1-0
Description: ${summary}
`;
  mkdirSync(join(tree, 'DEBIAN'));
  writeFileSync(join(tree, 'DEBIAN/control'), control);
  chmodSync(join(tree, 'DEBIAN'), 0o755);
  const file = join(folder, `perp_${version}_${arch === 'x64' ? 'amd64' : arch}.deb`);
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(secondsOfCommit()) };
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z9', '--build', tree, file], { env, stdio: 'pipe' });
  rmSync(join(tree, 'DEBIAN'), { recursive: true });
  return file;
}

/** The size of all files in a folder. */
function kibibytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => lstatSync(join(folder, name)));
  return Math.ceil(files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0) / 1024);
}

function rpm(tree: string, version: string, arch: string, folder: string): string {
  const machine = arch === 'x64' ? 'x86_64' : 'aarch64';
  const spec = `Name: perp
Version: ${version.replaceAll('-', '~')}
Release: 1
Summary: ${summary}
License: MIT
AutoReqProv: no
Requires: glibc >= 2.28, libstdc++, libgcc, libatomic
Recommends: libsecret
%define __os_install_post %{nil}
%define _build_id_links none
%define _binary_payload w9.gzdio
%define _buildhost perp
%define use_source_date_epoch_as_buildtime 1
%define clamp_mtime_to_source_date_epoch 1
%description
${summary}.
%install
cp -a '${tree}/.' %{buildroot}
mv %{buildroot}/usr/share/zsh/vendor-completions %{buildroot}/usr/share/zsh/site-functions
%files
%defattr(-,root,root)
/usr/bin/perp
/usr/lib/perp
/usr/share/doc/perp
/usr/share/man/man1/perp.1.gz
%dir /usr/share/bash-completion
/usr/share/bash-completion/completions
/usr/share/zsh
/usr/share/fish
`;
  const top = `${tree}-rpm`;
  mkdirSync(top);
  writeFileSync(join(top, 'perp.spec'), spec);
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(secondsOfCommit()) };
  const defined = ['--define', `_topdir ${top}`, '--define', `_rpmdir ${top}`];
  execFileSync('rpmbuild', ['-bb', '--target', machine, ...defined, join(top, 'perp.spec')], { env, stdio: 'pipe' });
  const [made] = readdirSync(join(top, machine));
  const file = join(folder, made!);
  cpSync(join(top, machine, made!), file);
  return file;
}

/** Writes what other package managers read: where the archives are, and their checksums. */
export function manifests(folder: string, archives: readonly string[], releases: string): string[] {
  const one = (suffix: string) => {
    const name = archives.find((archive) => archive.endsWith(suffix));
    if (name === undefined) throw new Error(`${folder} has no archive for ${suffix}`);
    return { name, url: `${releases}/${name}`, sha256: hashOf(join(folder, name), 'sha256', 'hex') };
  };
  const [x64, arm64, macos, windows] = [
    '-linux-x64.tar.gz',
    '-linux-arm64.tar.gz',
    '-macos-arm64-unsigned.tar.gz',
    '-windows-x64.zip',
  ].map(one);
  const version = /^perp-(.+)-linux-x64/.exec(x64!.name)![1]!;
  const source = ({ url, sha256 }: { url: string; sha256: string }) => `      url "${url}"\n      sha256 "${sha256}"`;
  const formula = `class Perp < Formula
  desc "${summary}"
  version "${version}"
  license "MIT"

  on_macos do
    on_arm do
${source(macos!)}
    end
  end
  on_linux do
    on_intel do
${source(x64!)}
    end
    on_arm do
${source(arm64!)}
    end
  end

  def install
    libexec.install Dir["*"]
    system "codesign", "--force", "--sign", "-", libexec/"perp" if OS.mac?
    bin.install_symlink libexec/"perp"
    man1.install_symlink libexec/"perp.1"
    bash_completion.install_symlink libexec/"completions/perp.bash" => "perp"
    zsh_completion.install_symlink libexec/"completions/_perp"
    fish_completion.install_symlink libexec/"completions/perp.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/perp --version")
  end
end
`;
  const manifest = {
    version,
    description: summary,
    homepage: releases,
    license: 'MIT',
    architecture: { '64bit': { url: windows!.url, hash: windows!.sha256 } },
    extract_dir: basename(windows!.name, '.zip'),
    bin: 'perp.exe',
  };
  writeFileSync(join(folder, 'perp.rb'), formula);
  writeFileSync(join(folder, 'perp.json'), `${JSON.stringify(manifest, null, 4)}\n`);
  return [join(folder, 'perp.rb'), join(folder, 'perp.json')];
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Give the folder of the archives: node scripts/packages.ts FOLDER');
  for (const file of makePackages(resolve(folder), process.env.PERP_RELEASES)) console.log(file);
  if (process.env.PERP_RELEASES === undefined)
    console.log(
      'Without PERP_RELEASES, the address of the archives, there is no formula for Homebrew and no manifest for Scoop.',
    );
}
