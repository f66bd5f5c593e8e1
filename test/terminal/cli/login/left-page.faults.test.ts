import assert from 'node:assert/strict';
import { it } from 'node:test';
import { served } from '../../../service/serving.ts';
import { Person } from './person.ts';
import { Machine } from './running-perp.ts';

for (const decision of ['approve', 'deny'] as const)
  it(`the browser's last page can be loaded again after perp login has ended (${decision})`, async (t) => {
    const serving = await served(t);
    const machine = new Machine(t, serving.baseUrl);
    const running = machine.start(['login', '--insecure-storage', '--no-browser']);
    const person = new Person();
    const callback = await person.decide(await person.open(await running.address()), decision);
    assert.match(await person.follow(callback), decision === 'approve' ? /You are logged in/ : /You are not logged in/);
    assert.equal((await running.ended).exit, decision === 'approve' ? 0 : 4);
    for (let time = 0; time < 2; time++) assert.match(await person.follow(callback), /This login was already answered/);
  });
