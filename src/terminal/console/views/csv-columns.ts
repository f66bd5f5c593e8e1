import { positionComputedFields } from '../../../desk/account/means.ts';
import { Order } from '../../../wire/contract/orders.ts';
import { Position } from '../../../wire/contract/positions.ts';
import { fieldsOf } from '../output/result.ts';

/** Wire names of an order's fields, used as CSV columns. */
export const orderFields = fieldsOf(Order);

/** Wire names of a position's fields, used as CSV columns. */
export const positionFields = fieldsOf(Position);

/** The same for open positions, plus perp's computed fields. */
export const openPositionFields = [...positionFields, ...positionComputedFields];
