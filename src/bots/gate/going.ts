import type { AuditedAsk, AuditedMandate } from '../../desk/audit/record.ts';
import type { GateWrite } from '../../desk/mandate/mandate.ts';
import { makesStrategy } from '../../wire/client/read-back-made.ts';
import type { WriteId } from '../../wire/client/writes.ts';
import type { WireRequest } from '../../wire/contract/wire.ts';
import { requestHash } from '../../wire/hosting/read-request.ts';
import type { AskedWrite } from './asked.ts';
import { type Bot, prefixOf, unnamedId } from './cache/bot.ts';
import { handling } from './cache/handling.ts';
import type { Reached } from './reach.ts';
import { type ForwardedWrite, intentFor } from './upstream.ts';

/** A write on its way: the bot's request, and the one to the service. */
export interface Going {
  readonly bot: Bot;
  readonly asked: AskedWrite;
  readonly request: WireRequest;
  readonly reached: Reached;
  readonly forwarded: ForwardedWrite;
  /** As it is judged. */
  readonly write: GateWrite;
  /** The gate's own name for it, in the audit log. */
  readonly name: string;
  /** Its identity under its key; undefined if it has none. */
  readonly keyed: string | undefined;
  /** Of its path and body: one key has one. */
  readonly hash: string;
}

let unkeyed = 0;

/** A write whose account is known, with the service's ids. `now`: Unix ms. */
export function goingOf(bot: Bot, asked: AskedWrite, request: WireRequest, reached: Reached, now: number): Going {
  const { idempotencyKey: key, sent, body, path } = asked;
  const mappedKey = key === undefined ? undefined : bot.mapped(key);
  const own = sent?.client_order_id;
  const named = handling[asked.id].names === true && {
    client_order_id: typeof own === 'string' ? bot.mapped(own) : unnamedId(bot.name, asked.id, key ?? ''),
  };
  unkeyed += 1;
  return {
    bot,
    asked,
    request,
    reached,
    forwarded: {
      operation: asked.operation,
      intent: intentFor(asked.operation, {
        path: reached.path,
        body: sent === undefined ? undefined : { ...sent, ...named },
        idempotencyKey: mappedKey,
      }),
      before: reached.before,
      sentAt: now,
    },
    write: {
      operation: asked.id as WriteId,
      account: reached.accounts[0] ?? bot.accounts[0]!,
      path: reached.path,
      body,
    },
    name: `${asked.id} ${mappedKey ?? `${prefixOf(bot.name)}_w${now.toString(36)}-${process.pid}-${unkeyed}`}`,
    keyed: key === undefined ? undefined : `${bot.name} ${asked.id} ${key}`,
    hash: requestHash(path, body),
  };
}

/** The same amendment of the price alone. */
export function withoutSize(going: Going): Going {
  const { forwarded, write } = going;
  const { size: _, ...sent } = JSON.parse(forwarded.intent.body ?? '{}') as Record<string, unknown>;
  const { size: __, ...body } = write.body ?? {};
  const intent = { ...forwarded.intent, body: JSON.stringify(sent) };
  return { ...going, forwarded: { ...forwarded, intent }, write: { ...write, body } };
}

/** A write as the audit log stores it, without the decision. */
export function askOf(going: Going, mandate: AuditedMandate): Omit<AuditedAsk, 'decision' | 'time'> {
  const { bot, asked, request, write, forwarded, name } = going;
  const { method, target, body } = request;
  const own = asked.sent?.client_order_id;
  const { target: sentTo, body: sent, idempotencyKey: key, clientOrderId } = forwarded.intent;
  return {
    kind: 'asked',
    bot: bot.name,
    write: name,
    mandate,
    operation: asked.id,
    account: write.account,
    request: {
      method,
      target,
      ...(body !== undefined && body !== '' && { body }),
      ...(asked.idempotencyKey !== undefined && { key: asked.idempotencyKey }),
      ...(typeof own === 'string' && { clientOrderId: own }),
    },
    upstream: {
      target: sentTo,
      ...(sent !== undefined && { body: sent }),
      ...(key !== undefined && { key }),
      ...(clientOrderId !== undefined && { clientOrderId }),
    },
    ...(makesStrategy(asked.id) && forwarded.before !== undefined && { before: forwarded.before }),
  };
}
