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
  require('./start.js').start(process.argv.slice(2));
}
