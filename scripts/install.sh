#!/bin/sh
# Installs perp as one executable file for this user, without root; with --uninstall, removes it.
#   PERP_RELEASES=ADDRESS sh install.sh [--uninstall]
# PERP_RELEASES is the address of the folder with a release's archives and their SHA256SUMS; there is no default.
set -eu
fail() { echo "Nothing was installed: $1" >&2; exit 1; }
[ -n "${HOME:-}" ] || fail "HOME names no folder."
link=$HOME/.local/bin/perp lib=$HOME/.local/lib/perp
ours() { case $(readlink "$link" 2>/dev/null) in "$lib"/*) ;; *) return 1 ;; esac; }

if [ "${1:-}" = --uninstall ]; then
  if ours; then rm -f "$link"; fi
  rm -rf "$lib" "${XDG_CACHE_HOME:-$HOME/.cache}/perp"
  echo "Removed $lib, the link $link and compiled code. Your simulations and settings stay: ~/.local/state/perp, ~/.config/perp."
  exit 0
fi
[ $# -eq 0 ] || fail "the only option is --uninstall, not $1."
[ -n "${PERP_RELEASES:-}" ] || fail "set PERP_RELEASES to the address of a release: its folder with SHA256SUMS."
if [ -e "$link" ] || [ -L "$link" ]; then ours || fail "$link is not from this script. Move it away first."; fi

case $(uname -s) in
  Linux) os=linux ;;
  Darwin) os=macos ;;
  *) fail "there is no executable for $(uname -s)." ;;
esac
case $(uname -m) in
  x86_64 | amd64) arch=x64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "there is no executable for $(uname -m)." ;;
esac
case $(ldd --version 2>&1 || :) in
  *musl*) fail "this system has musl, and perp's executable needs glibc 2.28 or newer. With Node: npm install --global FILE.tgz" ;;
esac
if command -v curl >/dev/null; then fetch() { curl -fsSL --retry 2 -o "$2" "$1"; }
elif command -v wget >/dev/null; then fetch() { wget -q -O "$2" "$1"; }
else fail "it needs curl or wget."; fi
if command -v sha256sum >/dev/null; then sum=sha256sum; else sum='shasum -a 256'; fi

mkdir -p "$lib" "${link%/*}" || fail "$lib can't be made."
work=$(mktemp -d "$lib/new.XXXXXX") || fail "$lib can't be written."
trap 'rm -rf "$work"; rmdir "$lib" 2>/dev/null || :' EXIT
trap 'exit 1' HUP INT TERM
fetch "$PERP_RELEASES/SHA256SUMS" "$work/SHA256SUMS" || fail "$PERP_RELEASES/SHA256SUMS can't be fetched."
line=$(grep "  perp-[0-9][0-9A-Za-z.-]*-$os-$arch\(-unsigned\)\{0,1\}\.tar\.gz$" "$work/SHA256SUMS" | tail -n 1) || fail "the release has nothing for $os on $arch."
file=${line##* }
fetch "$PERP_RELEASES/$file" "$work/$file" || fail "$PERP_RELEASES/$file can't be fetched, or there is no room for it."
(cd "$work" && echo "$line" | $sum -c - >/dev/null 2>&1) || fail "$file is damaged: its checksum is not that of SHA256SUMS."
tar -xzf "$work/$file" -C "$work" || fail "$file can't be unpacked: is the disk full?"
folder=${file%.tar.gz}
if [ $os = macos ]; then codesign --force --sign - "$work/$folder/perp" || fail "codesign can't sign $folder/perp."; fi
"$work/$folder/perp" --version >/dev/null || fail "$folder/perp does not run here; the lines above say why."
before=$(readlink "$link" 2>/dev/null || :)
rm -rf "${lib:?}/$folder" && mv "$work/$folder" "$lib/$folder"
ln -s "$lib/$folder/perp" "$work/perp" && mv -f "$work/perp" "$link"
# What was there before may still run; what was before that goes.
for old in "$lib"/perp-*; do case $old in "$lib/$folder" | "${before%/perp}") ;; *) rm -rf "$old" ;; esac; done
echo "Installed $folder in $lib; $link leads to it. To undo it: sh install.sh --uninstall"
case :$PATH: in *:"${link%/*}":*) ;; *) echo "${link%/*} is not in your PATH: add it in your shell's profile." ;; esac
