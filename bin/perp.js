#!/usr/bin/env node
// Old syntax, so that an old Node prints the message below instead of a syntax error.
var wanted = [24, 15];
var have = process.versions.node.split('.').map(Number);

if (have[0] < wanted[0] || (have[0] === wanted[0] && have[1] < wanted[1])) {
  console.error(
    'perp needs Node ' +
      wanted.join('.') +
      ' or newer, but this is Node ' +
      process.versions.node +
      '. ' +
      'Get it from https://nodejs.org. In a checkout, npm ci installs one, and npx perp uses it.',
  );
  process.exitCode = 2;
} else {
  start();
}

function start() {
  var folder = cacheFolder();
  // Without a folder, Node would use one in /tmp that anybody could have created.
  if (folder !== undefined) process.getBuiltinModule('node:module').enableCompileCache(folder);
  void import('../dist/perp.js')
    .then(
      (perp) => perp.run(process.argv.slice(2)),
      (error) => {
        if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/dist.perp\.js/.test(error.message)) throw error;
        console.error('perp is not built yet: run npm run build in its folder (npm ci does that too).');
        return 2;
      },
    )
    .then((exit) => {
      process.exitCode = exit;
      setTimeout(endAtLast, 500).unref();
    });
}

// Everything is done. What still keeps the process may be a connection whose peer never answers; only output may take longer.
function endAtLast() {
  if (process.stdout.writableLength > 0) setTimeout(endAtLast, 500).unref();
  else process.exit();
}

function cacheFolder() {
  var env = process.env;
  var home =
    env.XDG_CACHE_HOME || (process.platform === 'win32' && env.LOCALAPPDATA) || (env.HOME && `${env.HOME}/.cache`);
  return home && isMade(`${home}/perp`) && isOwn(home) ? `${home}/perp` : undefined;
}

// The cache contains code: whoever can write to it can run code as this user.
function isOwn(home) {
  try {
    return process.getuid === undefined || isOwnedBy(process.getuid(), process.getBuiltinModule('node:fs'), home);
  } catch {
    return false;
  }
}

function isOwnedBy(own, fs, home) {
  var above = fs.statSync(home);
  var link = fs.lstatSync(`${home}/perp`);
  var folder = fs.statSync(`${home}/perp`);
  // In a world-writable folder such as /tmp, the sticky bit keeps others from replacing ours.
  var isKept = (above.uid === own || above.uid === 0) && ((above.mode & 0o002) === 0 || (above.mode & 0o1000) !== 0);
  return isKept && link.uid === own && folder.uid === own && (folder.mode & 0o022) === 0;
}

// Node's recursive mkdir never returns for an existing folder that takes no new entries and reports ENOENT, as /proc
// does.
function isMade(folder) {
  var fs = process.getBuiltinModule('node:fs');
  var above = folder.replace(/[\\/][^\\/]*$/, '');
  if (fs.existsSync(folder)) return true;
  if (above === '' || above === folder || !isMade(above)) return false;
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch {
    return fs.existsSync(folder);
  }
  return true;
}
