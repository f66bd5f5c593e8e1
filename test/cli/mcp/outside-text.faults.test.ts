import { it } from 'node:test';
import { hostileTexts, obeyed } from './outside-text.ts';

it('200 texts from outside: marked, no control characters, nothing ordered beyond the mandate', () =>
  obeyed(hostileTexts));
