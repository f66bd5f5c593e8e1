'use strict';
/**
 * Runs the bundle. Its files are scripts, functions of what they import (scripts/scripts-of-modules.ts), because a script
 * can be given the code that earlier runs compiled; Node's own cache for modules keeps only what is compiled before a
 * file runs, a small part of it.
 */
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');

// A worker of the lab takes it from the process.
const { getBuiltinModule } = process;
const { isAbsolute } = path;
const sea = getBuiltinModule('node:sea');
/** In the executable, the files are its assets; they are named as if they were beside it. Bun knows no executables. */
const isExecutable = sea?.isSea() === true;
const dist = path.join(__dirname, '../dist');
const distUrl = pathToFileURL(`${dist}/`).href;
const dayMs = 86_400_000;

/** Compiled code by file name, as an earlier run of the same command left it. */
let compiled = new Map();
/** The files that this run uses, and what they export. */
const scripts = new Map();
const modules = new Map();
let wasAllCompiled = true;

module.exports = { start, use };

function start(words) {
  const bundle = readBundle();
  if (bundle === undefined) {
    console.error('perp is not built yet: run npm run build in its folder (npm ci does that too).');
    process.exitCode = 2;
    return;
  }
  if (words[0] === '__part' && bundle.parts[words[1]] !== undefined) {
    for (const flag of words.slice(2)) if (flag.startsWith('--')) require('node:v8').setFlagsFromString(flag);
    use(bundle.parts[words[1]]);
    return;
  }
  const cache = cacheOf(bundle, words);
  const writtenMs = cache === undefined ? undefined : readCompiled(cache.file);
  const { run, end } = use(bundle.entry);
  let isDone = false;
  const endNow = () => end(isDone);
  // Nothing is left to do: end now. Taking the heap down first would take as long as a tenth of a short command.
  process.on('beforeExit', endNow);
  void run(words).then((exit) => {
    isDone = true;
    process.exitCode = exit;
    setTimeout(endAtLast, 500, endNow).unref();
    // A run that failed has not used everything that the command needs.
    if (cache !== undefined && exit === 0) renewCompiled(cache, writtenMs);
  });
}

/** The bundle's first file, and the paths of all commands. */
function readBundle() {
  try {
    return JSON.parse(textOf('start.json'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  }
}

/** Everything is done. What still keeps the process may be a connection whose peer never answers; only output may take longer. */
function endAtLast(endNow) {
  if (process.stdout.writableLength > 0) setTimeout(endAtLast, 500, endNow).unref();
  else endNow();
}

/** What a file of the bundle exports. */
function use(name) {
  if (modules.has(name)) return modules.get(name);
  const location = distUrl + name;
  const script = new Script(textOf(name), { filename: location, cachedData: compiled.get(name) });
  if (script.cachedDataRejected !== false) wasAllCompiled = false;
  scripts.set(name, script);
  const meta = {
    // A thread can't begin with a script, only with the file that the build wrote beside it.
    get url() {
      return isExecutable ? threadOf(name) : location.replace(/js$/, 'cjs');
    },
    dirname: dist,
    resolve: (library) => pathToFileURL(require.resolve(library)).href,
  };
  const exported = script.runInThisContext()(use, load, meta, builtinOrLibrary);
  modules.set(name, exported);
  return exported;
}

/** The text of a file of the bundle. */
function textOf(name) {
  if (!isExecutable) return fs.readFileSync(path.join(dist, name), 'latin1');
  return Buffer.from(sea.getRawAsset(`dist/${name}`)).toString('latin1');
}

/** What a thread of the executable begins with: this file, and then that of the bundle. */
function threadOf(name) {
  const begin = `const { getBuiltinModule } = process;
const start = getBuiltinModule('node:sea').getAsset('bin/start.js', 'utf8');
const { Script } = getBuiltinModule('node:vm');
const module = {};
new Script('(function(module,require,__dirname){' + start + '})').runInThisContext()(module, getBuiltinModule, ${JSON.stringify(__dirname)});
module.exports.use(${JSON.stringify(name)});`;
  return `data:text/javascript,${encodeURIComponent(begin)}`;
}

async function load(name) {
  return name.startsWith('./') ? use(name.slice(2)) : builtinOrLibrary(name);
}

function builtinOrLibrary(name) {
  return getBuiltinModule(name) ?? (isExecutable ? libraryBeside(name) : require(name));
}

/** A library with a native part, which can't be in the executable: it is in the same folder, and nowhere else. */
function libraryBeside(name) {
  return require('node:module').createRequire(process.execPath)(`./${name}`);
}

/** Where the compiled code of this command is kept; undefined where another user could change it. */
function cacheOf({ entry, commands }, words) {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME, NODE_DISABLE_COMPILE_CACHE } = process.env;
  const chosen = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) && XDG_CACHE_HOME;
  const home = chosen || (process.platform === 'win32' && LOCALAPPDATA) || (HOME && `${HOME}/.cache`);
  if (!home || !isAbsolute(home) || NODE_DISABLE_COMPILE_CACHE || !isMade(`${home}/perp`) || !isOwn(home))
    return undefined;
  const [first, second] = words;
  const path = commands.includes(`${first} ${second}`) ? `${first}-${second}` : first;
  const command = commands.some((known) => known.split(' ')[0] === first) ? path : 'perp';
  // Another build, another Node or another processor has another file.
  const suffix = `-${entry.replace(/\W/g, '-')}-${process.version}-${process.arch}`;
  return { folder: `${home}/perp`, suffix, file: `${home}/perp/${command}${suffix}` };
}

/**
 * Reads the compiled code and returns when it was written. Damaged code would crash V8, so the file is used only if
 * nobody has changed it since: its time of change is also in it.
 */
function readCompiled(file) {
  try {
    const bytes = fs.readFileSync(file);
    let at = bytes.indexOf('\n') + 1;
    const { writtenMs, parts } = JSON.parse(bytes.toString('latin1', 0, at));
    const found = new Map();
    for (const [name, length] of parts) {
      found.set(name, bytes.subarray(at, at + length));
      at += length;
    }
    if (at !== bytes.length || Math.round(fs.statSync(file).mtimeMs) !== writtenMs) return undefined;
    compiled = found;
    return writtenMs;
  } catch {
    return undefined;
  }
}

/** Keeps what this run has compiled: once a day, and whenever a file was not compiled before. */
function renewCompiled({ file, folder, suffix }, writtenMs) {
  const draft = `${file}.${process.pid}`;
  try {
    const nowMs = Math.floor(Date.now() / 1_000) * 1_000;
    if (wasAllCompiled && writtenMs !== undefined && Math.abs(nowMs - writtenMs) < dayMs) return;
    const parts = [...scripts].map(([name, script]) => [name, script.createCachedData()]);
    const head = { writtenMs: nowMs, parts: parts.map(([name, code]) => [name, code.length]) };
    const open = fs.openSync(draft, 'wx', 0o600);
    try {
      fs.writevSync(open, [Buffer.from(`${JSON.stringify(head)}\n`), ...parts.map(([, code]) => code)]);
      fs.futimesSync(open, nowMs / 1_000, nowMs / 1_000);
      fs.fsyncSync(open);
    } finally {
      fs.closeSync(open);
    }
    fs.renameSync(draft, file);
    removeUnused(folder, suffix, nowMs - 7 * dayMs);
  } catch {
    removeDraft(draft);
  }
}

/** In a folder that can't be written, there is none. */
function removeDraft(draft) {
  try {
    fs.rmSync(draft, { force: true });
  } catch {}
}

/** What one of these files is called, also as a draft. On Windows, states are in the same folder. */
const compiledName = /-perp-\w+-js-v[\d.]+-\w+(?:\.\d+)?$/;

/** Removes what other builds left and did not use since this time. */
function removeUnused(folder, suffix, sinceMs) {
  for (const name of fs.readdirSync(folder)) {
    const file = `${folder}/${name}`;
    const isOther = compiledName.test(name) && !name.endsWith(suffix);
    if (isOther && fs.statSync(file).mtimeMs < sinceMs) fs.rmSync(file, { force: true });
  }
}

/** The cache contains code: whoever can write to it can run code as this user. */
function isOwn(home) {
  try {
    return process.getuid === undefined || isOwnedBy(process.getuid(), home);
  } catch {
    return false;
  }
}

function isOwnedBy(own, home) {
  const above = fs.statSync(home);
  const link = fs.lstatSync(`${home}/perp`);
  const folder = fs.statSync(`${home}/perp`);
  // In a world-writable folder such as /tmp, the sticky bit keeps others from replacing ours.
  const isKept = (above.uid === own || above.uid === 0) && ((above.mode & 0o002) === 0 || (above.mode & 0o1000) !== 0);
  return isKept && link.uid === own && folder.uid === own && (folder.mode & 0o022) === 0;
}

/**
 * Node's recursive mkdir never returns for an existing folder that takes no new entries and reports ENOENT, as /proc
 * does.
 */
function isMade(folder) {
  const above = folder.replace(/[\\/][^\\/]*$/, '');
  if (fs.existsSync(folder)) return true;
  if (above === '' || above === folder || !isMade(above)) return false;
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch {
    return fs.existsSync(folder);
  }
  return true;
}
