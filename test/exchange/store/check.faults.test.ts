import { describe } from 'node:test';
import { damagedColumns } from './damage.ts';

describe('a damaged value is found in any column', () => damagedColumns(1));
